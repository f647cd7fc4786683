"""What the chat does by the clock."""

from companion_site.jobs import Schedule

SCHEDULES = [
    Schedule(name="chat.remove_expired_texts", task="chat.tasks.remove_expired_texts", every_minutes=60),
    Schedule(name="chat.remove_deleted", task="chat.tasks.remove_deleted", every_minutes=60),
    Schedule(name="chat.remove_unkept_imports", task="chat.tasks.remove_unkept_imports", every_minutes=60),
    Schedule(name="chat.queue_readings", task="chat.tasks.queue_readings", every_minutes=1),
]
