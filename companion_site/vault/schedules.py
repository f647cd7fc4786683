"""What the vault does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="vault.drop_expired", task="companion_site.vault.tasks.drop_expired", every_minutes=10),
]
