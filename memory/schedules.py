"""What memory does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="memory.purge_tombstones", task="memory.tasks.purge_tombstones", every_minutes=24 * 60),
]
