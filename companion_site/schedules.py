"""What the platform does by the clock."""

from django.conf import settings

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="accounts.sweep_limits", task="companion_site.tasks.sweep_limits", every_minutes=15),
    Schedule(name="api.drop_kept_answers", task="companion_site.tasks.drop_kept_answers", every_minutes=60),
    Schedule(name="vault.drop_expired", task="companion_site.tasks.drop_expired", every_minutes=10),
    Schedule(
        name="audit.make_checkpoint",
        task="companion_site.tasks.make_checkpoint",
        every_minutes=settings.AUDIT_CHECKPOINT_MINUTES,
    ),
    Schedule(
        name="audit.make_whole_checkpoint",
        task="companion_site.tasks.make_whole_checkpoint",
        every_minutes=7 * 24 * 60,
    ),
]
