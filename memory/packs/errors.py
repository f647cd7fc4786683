"""Why a pack is refused. Whatever the reason, nothing of it was written."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.errors import InvalidInput


class PackRefused(InvalidInput):
    """A pack was not taken in. `line`: the line of its nodes that is wrong; None where it is no line's fault."""

    code = "pack.refused"
    message = gettext_lazy("That pack cannot be taken in. Nothing was written.")

    def __init__(self, message: str | Promise | None = None, *, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line

    def __str__(self) -> str:
        if self.line is None:
            return str(self.message)
        return _("Node %(line)d: %(what)s") % {"line": self.line, "what": self.message}


class NotAPack(PackRefused):
    code = "pack.unknown"
    message = gettext_lazy("That is no knowledge pack, or one of a newer kind.")


class PackWrongKey(PackRefused):
    code = "pack.wrong-key"
    message = gettext_lazy("That passphrase or key does not open the pack.")


class PackCostly(PackRefused):
    code = "pack.costly"
    message = gettext_lazy("Opening the pack would take more memory or time than is allowed.")


class PackDamaged(PackRefused):
    code = "pack.damaged"
    message = gettext_lazy("The pack is damaged: cut short, or changed after it was made.")


class PackTooLarge(PackRefused):
    code = "pack.too-large"
    message = gettext_lazy("The pack holds more than is allowed.")


class PackPath(PackRefused):
    code = "pack.path"
    message = gettext_lazy("The pack holds a file that does not belong in one.")


class PackManifest(PackRefused):
    code = "pack.manifest"
    message = gettext_lazy("What the pack says of itself cannot be.")


class PackChecksum(PackRefused):
    code = "pack.checksum"
    message = gettext_lazy("The pack's nodes are not those that its checksum tells of.")


class PackSignature(PackRefused):
    code = "pack.signature"
    message = gettext_lazy("The pack's signature does not hold, or is nobody's who is trusted here.")


class PackNodeRefused(PackRefused):
    code = "pack.node"
    message = gettext_lazy("A node of the pack cannot be.")


class PackThere(PackRefused):
    code = "pack.there"
    message = gettext_lazy("This pack is here already.")


class NothingSelected(InvalidInput):
    code = "pack.nothing-selected"
    message = gettext_lazy("Nothing here is what the selection asks for.")


class TooManyMounts(InvalidInput):
    code = "pack.too-many-mounted"
    message = gettext_lazy("This memory reads as many packs as it may. Take one off first.")


#: the reasons by their codes, for what was refused behind the page
_KINDS: tuple[type[PackRefused], ...] = (PackRefused, *PackRefused.__subclasses__())
REASONS: dict[str, type[PackRefused]] = {kind.code: kind for kind in _KINDS}
