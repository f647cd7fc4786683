from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self):
        from memory.reading.service import check_heads

        register(check_heads)
