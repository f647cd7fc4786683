"""Why a copy cannot be taken in: said plainly, and then nothing of it was."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput


class NoCopy(InvalidInput):
    code = "copy.unreadable"
    message = _(
        "This is not a whole copy of a memory. Choose the file with the ending .json as it was saved."
    )


class OtherVersion(InvalidInput):
    code = "copy.version"
    message = _("This copy was written by another version of Companion, which cannot be read here.")


class CopyTooLarge(InvalidInput):
    code = "copy.too-large"
    message = _("This file is too large.")


class CopyDoesNotFit(InvalidInput):
    code = "copy.broken"
    message = _("This copy has been changed or does not fit together, so nothing of it was taken in.")
