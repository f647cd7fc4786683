"""What the record does by the clock."""

from django.conf import settings

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(
        name="audit.make_checkpoint",
        task="companion_site.audit.tasks.make_checkpoint",
        every_minutes=settings.AUDIT_CHECKPOINT_MINUTES,
    ),
    Schedule(
        name="audit.make_whole_checkpoint",
        task="companion_site.audit.tasks.make_whole_checkpoint",
        every_minutes=7 * 24 * 60,
    ),
]
