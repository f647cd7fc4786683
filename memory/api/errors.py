"""What a program is refused for, beside the errors of the services that it asks."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput


class TooManyPacks(InvalidInput):
    code = "pack.too-many"
    message = _("You have as many packs of your own as you may. Remove one first.")
