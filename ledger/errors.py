"""What can go wrong with an entry of the ledger, each with what the person can do about it."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


class InvalidEntry(InvalidInput):
    code = "ledger.entry-invalid"
    message = _("That cannot be kept in the ledger as it is.")


class EntryExists(CompanionError):
    code = "ledger.entry-exists"
    message = _("The ledger has another entry with the same words.")


class EntryChanged(CompanionError):
    code = "ledger.entry-changed"
    message = _("This entry was changed in the meantime. Look at it again first.")
