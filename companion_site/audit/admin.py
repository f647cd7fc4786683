"""The record in the admin: read in order, changed by nobody."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from companion_site.administration.history import HistoryAdmin, IdFilter
from companion_site.audit.models import AuditEvent


class ChainFilter(IdFilter):
    title = _("chain")
    parameter_name = "chain"


@admin.register(AuditEvent)
class AuditEventAdmin(HistoryAdmin):
    columns = ("chain", "position", "at", "actor_label", "subject_type", "subject_id")
    id_columns = ("chain", "actor_id", "subject_id")
    list_filter = (ChainFilter,)
