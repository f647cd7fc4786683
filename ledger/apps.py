from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "ledger"
    verbose_name = _("Ledger")

    def ready(self):
        from ledger.indexes import forget_at_log_out

        user_logged_out.connect(forget_at_log_out, dispatch_uid="ledger.indexes")
