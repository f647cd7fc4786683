"""What memory does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(
        name="memory.compress_companies",
        task="memory.company.tasks.compress_companies",
        every_minutes=24 * 60,
    ),
    Schedule(name="memory.expire_short_term", task="memory.tasks.expire_short_term", every_minutes=24 * 60),
    Schedule(
        name="memory.purge_sleep_history", task="memory.tasks.purge_sleep_history", every_minutes=24 * 60
    ),
    Schedule(name="memory.purge_tombstones", task="memory.tasks.purge_tombstones", every_minutes=24 * 60),
    Schedule(
        name="memory.queue_reembedding",
        task="memory.reembedding.tasks.queue_reembedding",
        every_minutes=60,
    ),
    Schedule(name="memory.queue_sleep", task="memory.tasks.queue_sleep", every_minutes=1),
    Schedule(
        name="memory.remove_abandoned_packs", task="memory.packs.tasks.remove_abandoned", every_minutes=10
    ),
]
