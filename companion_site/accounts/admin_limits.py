"""What is being counted, in the admin: how much of which limit, of nobody that can be named."""

from typing import ClassVar

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import LimitCount
from companion_site.administration.history import HistoryAdmin


@admin.register(LimitCount)
class LimitCountAdmin(HistoryAdmin):
    """A person's own are forgotten at the person's page."""

    id_columns: ClassVar[tuple[str, ...]] = ("who",)

    def __init__(self, *args) -> None:
        super().__init__(*args)
        self.list_display = ["key", "limit", "used", "until"]
        self.fields = self.readonly_fields = ["key", "who", "limit", "used", "step", "until"]

    @admin.display(description=_("used"))
    def used(self, row: LimitCount) -> str:
        return row.shown
