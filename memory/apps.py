from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self):
        from memory.workingset import forget_at_log_out

        user_logged_out.connect(forget_at_log_out, dispatch_uid="memory.workingset")
