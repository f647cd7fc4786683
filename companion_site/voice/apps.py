from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy as _


class VoiceConfig(AppConfig):
    name = "companion_site.voice"
    label = "voice"
    verbose_name = _("Voice")

    def ready(self) -> None:
        from companion_site.voice.checks import check_voice

        register(check_voice)
