"""What can be wrong with a world, told with its place."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where, as "concepts[3].name", and what, in the reader's language."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


class WorldRefused(InvalidInput):
    """A world, or a change to one, was not taken in; nothing of it was."""

    code = "world.refused"
    message = _("That world cannot be taken in. Nothing was changed.")

    def __init__(self, problems: Sequence[Problem], *, most: int = 20) -> None:
        super().__init__()
        #: the first of them, in the order of the file
        self.problems = tuple(problems[:most])
        #: how many more there are
        self.others = max(0, len(problems) - most)

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems)) or str(self.message)


class WorldChanged(CompanionError):
    """Somebody else changed the world since it was looked at."""

    code = "world.changed"
    message = _("The world was changed meanwhile. Please look at what would change now.")
