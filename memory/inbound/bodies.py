"""What the APIs for programs have in common: bodies read strictly, known again by an id, refused by our own names for things, sealed."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from companion_site.accounts.system_requests import Api, RequestRefused
from companion_site.vault.errors import NoInbox, SpaceClosed, StatementDiffers
from companion_site.vault.inbox import seal_to
from memory.inbound.contents import Sent

Said = TypeVar("Said", bound=BaseModel)


@dataclass(frozen=True)
class Reported(Generic[Said]):
    """What was sent, and the bytes that it is compared by when its id comes again."""

    said: Said
    identity: bytes


@dataclass(frozen=True, kw_only=True)
class Inlet(Api, Generic[Said]):
    """One API by which others write into spaces.

    Attributes:
        form: of what is sent.
    """

    form: type[Said]

    def conflict(self) -> RequestRefused:
        told = _("Something of this id came before and said something else. Nothing was taken in.")
        return self.refused(told, why="conflict", status=409)

    def parse(
        self, given: Mapping[str, Any], *, where: str = "", leave_out: Collection[str] = ()
    ) -> Reported[Said]:
        """Return what was sent, or refuse the first thing that is wrong: where, and what is expected there.

        Args:
            leave_out: names in which two that are the same may differ.
        """
        said = self.check(self.form, given, where=where)
        compared = {name: value for name, value in given.items() if name not in leave_out}
        compared["id"] = str(said.id)  # type: ignore[attr-defined]  # each form has one
        written = json.dumps(compared, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return Reported(said, written.encode())

    def seal(
        self,
        space: UUID,
        contents: Sent,
        *,
        statement_id: UUID,
        identity: bytes,
        nobody: RequestRefused,
        now: datetime,
    ) -> None:
        """Seal something into a space. The same again under its id changes nothing, something else is a conflict.

        Args:
            nobody: raised where nothing can be sealed to the space.
        """
        try:
            seal_to(
                space,
                kind=contents.kind,
                text=contents.to_bytes(),
                sender=None,
                statement_id=statement_id,
                identity=identity,
                now=now,
            )
        except StatementDiffers:
            raise self.conflict() from None
        except (NoInbox, SpaceClosed):
            raise nobody from None
