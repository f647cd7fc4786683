from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class VaultConfig(AppConfig):
    name = "companion_site.vault"
    verbose_name = _("Vault")

    def ready(self):
        from companion_site.vault import checks  # noqa: F401  registers the system checks
        from companion_site.vault.protection import protect_after_migrate

        post_migrate.connect(protect_after_migrate, dispatch_uid="vault.protection")
