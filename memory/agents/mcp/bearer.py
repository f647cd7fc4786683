"""Whose request it is: the token, the agent's space that it opens, and nothing else."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Bearer, Scope, TokenAuthority, granted_to
from companion_site.errors import NotFound
from companion_site.vault.grants import Grant
from memory.agents.agents import access_by_token
from memory.agents.mcp.errors import TokenMayNot


@dataclass(frozen=True)
class Caller:
    """A program that was let in. `authority`: the token; None where the call comes from this process itself."""

    access: Access
    scopes: frozenset[str]
    authority: TokenAuthority | None = None

    def granted(self) -> AbstractContextManager[Grant | None]:
        """Return what opens the program's grant for the length of a block; of what calls from this process itself there is none.

        It raises BadToken where the token was taken back meanwhile, or its person shut out; what was done last is not kept.
        """
        if self.authority is None:
            return nullcontext()
        return granted_to(self.authority)


def admit(bearer: Bearer) -> Caller:
    """Return who a token lets in. Raises TokenMayNot: it opens a space, but no agent's, or is not meant for this."""
    try:
        access = access_by_token(bearer)
    except NotFound:
        raise TokenMayNot(Scope.AGENT) from None
    if not bearer.may(Scope.AGENT):
        raise TokenMayNot(Scope.AGENT)
    return Caller(access, frozenset(bearer.token.scopes), bearer.authority)
