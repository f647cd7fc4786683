"""The libraries' own tables in the admin: background work and what staff did, in the site's clothes."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import models
from django.http import HttpRequest
from django_q.admin import QueueAdmin, resubmit_task
from django_q.models import Failure, OrmQ, Schedule, Success

from companion_site.administration.history import HistoryAdmin

for model in (Success, Failure, OrmQ, Schedule, Group):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


@admin.register(OrmQ)
class QueuedJobAdmin(HistoryAdmin):
    """What waits or is in work; arguments are ids."""

    list_display = ["id", "name", "func", "lock"]
    shown_fields = tuple(field for field in QueueAdmin.fields if field != "kwargs")


class FinishedJobAdmin(HistoryAdmin):
    columns = ("func", "started", "stopped", "attempt_count")
    hidden = ("hook", "kwargs", "cluster")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet:
        """Leave pickled values out of lists."""
        rows = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and str(match.url_name).endswith("_changelist")
        return rows.defer("args", "kwargs", "result") if is_list else rows


admin.site.register(Success, FinishedJobAdmin)
admin.site.register(Failure, FinishedJobAdmin, actions=(resubmit_task,))
# Recurring work is declared in the code and kept equal to it.
admin.site.register(
    Schedule,
    HistoryAdmin,
    columns=("func", "schedule_type", "minutes", "next_run", "task"),
    hidden=("hook", "args", "kwargs", "repeats", "cron", "cluster", "intended_date_kwarg"),
)
admin.site.register(
    LogEntry,
    HistoryAdmin,
    columns=("action_time", "user", "content_type", "object_id", "action_flag"),
    list_filter=("action_flag",),
)
