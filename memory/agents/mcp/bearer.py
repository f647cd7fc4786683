"""Whose request it is: the token, the agent's space that it opens, and nothing else."""

import re
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime

from companion_site.accounts.errors import BadToken
from companion_site.accounts.tokens import Scope, TokenAuthority, authenticate_token
from companion_site.errors import NotFound
from companion_site.vault.grants import Grant, granted_or
from memory.agents.access import AgentAccess, access_by_token
from memory.agents.mcp.errors import TokenMayNot, TokenMissing, TokenRefused

_FORM = re.compile(r"bearer +([^\s,]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Caller:
    """A program that was let in.

    Attributes:
        scopes: what the token may be used for.
        authority: the token; None where the call comes from this process itself.
    """

    access: AgentAccess
    scopes: frozenset[str]
    authority: TokenAuthority | None = None

    def granted(self) -> AbstractContextManager[Grant | None]:
        """Return what opens the program's grant for the length of a block; of what calls from this process itself there is none.

        It raises TokenRefused where the token was taken back meanwhile, or its person shut out; what was done last is not kept.
        """
        if self.authority is None:
            return nullcontext()
        return granted_or(TokenRefused, self.authority, self.access.space)


def token_in(header: str) -> str:
    """Return the token that an Authorization header carries. Raises TokenMissing: it carries none."""
    found = _FORM.fullmatch(header.strip())
    if found is None:
        raise TokenMissing()
    return found[1]


def admit(text: str, *, now: datetime) -> Caller:
    """Return who a token lets in.

    Raises:
        TokenRefused: it opens nothing.
        TokenMayNot: it opens a space, but no agent's, or is not meant for this.
    """
    try:
        bearer = authenticate_token(text, now=now)
    except BadToken:
        raise TokenRefused() from None
    if not bearer.may(Scope.AGENT):
        raise TokenMayNot()
    try:
        access = access_by_token(bearer)
    except NotFound:
        raise TokenMayNot() from None
    return Caller(access, frozenset(bearer.token.scopes), bearer.authority)
