from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OverlayConfig(AppConfig):
    name = "overlay"
    verbose_name = _("World overlay")
