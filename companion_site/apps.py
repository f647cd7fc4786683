from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "companion_site"
    label = "companion_site"
    verbose_name = "Companion"
