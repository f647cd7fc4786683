"""Why a pack is refused. Whatever the reason, nothing of it was written."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.errors import InvalidInput


class PackRefused(InvalidInput):
    """A pack was not taken in. `line`: the line of its nodes that is wrong; None where it is no line's fault."""

    code = "pack.refused"
    message = gettext_lazy("That pack cannot be taken in. Nothing was written.")
    reasons: Mapping[str, Promise] = {
        "unknown": gettext_lazy("That is no knowledge pack, or one of a newer kind."),
        "wrong-key": gettext_lazy("That passphrase or key does not open the pack."),
        "costly": gettext_lazy("Opening the pack would take more memory or time than is allowed."),
        "damaged": gettext_lazy("The pack is damaged: cut short, or changed after it was made."),
        "too-large": gettext_lazy("The pack holds more than is allowed."),
        "path": gettext_lazy("The pack holds a file that does not belong in one."),
        "manifest": gettext_lazy("What the pack says of itself cannot be."),
        "checksum": gettext_lazy("The pack's nodes are not those that its checksum tells of."),
        "signature": gettext_lazy("The pack's signature does not hold, or is nobody's who is trusted here."),
        "node": gettext_lazy("A node of the pack cannot be."),
        "there": gettext_lazy("This pack is here already."),
    }

    def __init__(
        self, message: str | Promise | None = None, *, why: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message, why=why)
        self.line = line

    def __str__(self) -> str:
        if self.line is None:
            return str(self.message)
        return _("Node %(line)d: %(what)s") % {"line": self.line, "what": self.message}


class NothingSelected(InvalidInput):
    code = "pack.nothing-selected"
    message = gettext_lazy("Nothing here is what the selection asks for.")


class TooManyMounts(InvalidInput):
    code = "pack.too-many-mounted"
    message = gettext_lazy("This memory reads as many packs as it may. Take one off first.")
