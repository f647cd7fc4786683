from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "companion_site.accounts"
    verbose_name = _("Accounts")

    def ready(self):
        from companion_site.accounts.sessions import note_log_in

        user_logged_in.connect(note_log_in, dispatch_uid="accounts.sessions")
