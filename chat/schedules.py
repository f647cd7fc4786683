"""What the chat does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="chat.remove_expired_texts", task="chat.tasks.remove_expired_texts", every_minutes=60),
    Schedule(name="chat.company.queue_due", task="chat.company.tasks.queue_due", every_minutes=1),
]
