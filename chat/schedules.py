"""What the chat does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="chat.remove_expired_texts", task="chat.tasks.remove_expired_texts", every_minutes=60),
]
