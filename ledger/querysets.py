"""The words for reading the ledger; each can be chained."""

from django.db import models

from companion_site.vault.rows import SpaceQuerySet


class EntryQuerySet(SpaceQuerySet):
    def current(self):
        """Keep the last revision of each entry."""
        return self.filter(superseded_at__isnull=True)

    def live(self, now):
        """Keep what holds at `now`: the last revisions that are active and have not expired."""
        unexpired = models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now)
        return self.current().filter(unexpired, is_active=True)


class AlertQuerySet(SpaceQuerySet):
    def unseen(self):
        return self.filter(seen_at__isnull=True)
