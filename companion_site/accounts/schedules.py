"""What accounts do by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(
        name="accounts.sweep_limits", task="companion_site.accounts.tasks.sweep_limits", every_minutes=15
    )
]
