from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "companion_site.administration.site.AdministrationSite"
