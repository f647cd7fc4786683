"""What the REST API does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(
        name="api.drop_kept_answers", task="companion_site.api.tasks.drop_kept_answers", every_minutes=60
    ),
]
