from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "companion_site.api"
    label = "api"
    verbose_name = _("REST API")

    def ready(self):
        from companion_site.api import extensions  # noqa: F401  found by its class once it is imported
