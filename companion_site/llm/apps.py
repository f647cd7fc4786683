"""The app that holds the language-model gateway and its usage rows."""

from django.apps import AppConfig
from django.core.checks import register
from django.core.signals import setting_changed
from django.utils.translation import gettext_lazy as _


class LlmConfig(AppConfig):
    name = "companion_site.llm"
    label = "llm"
    verbose_name = _("Language models")

    def ready(self) -> None:
        """Check the settings, and let a changed one reach the gateway, which is built once per process."""
        from companion_site.llm.gateway import check_settings, forget_gateway
        from companion_site.llm.help_lines import check_help_lines

        for check in (check_settings, check_help_lines):
            register(check, "llm")
        setting_changed.connect(forget_gateway, dispatch_uid="llm.forget_gateway")
