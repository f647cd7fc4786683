"""What memory does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(
        name="memory.compress_companies",
        task="memory.company.tasks.compress_companies",
        every_minutes=24 * 60,
    ),
    Schedule(name="memory.purge_tombstones", task="memory.tasks.purge_tombstones", every_minutes=24 * 60),
]
