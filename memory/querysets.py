"""The words this project uses to read memories; each can be chained."""

from django.db import models

from companion_site.vault.rows import SpaceQuerySet
from memory.gravity import present_gravity


class NodeQuerySet(SpaceQuerySet):
    def active(self):
        """Keep what is believed now: neither superseded nor removed."""
        return self.filter(superseded_at__isnull=True, removed_at__isnull=True)

    def unexpired(self, now):
        return self.filter(models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now))

    def changed_after(self, version):
        """Keep rows that changed after the space's `version`, whatever became of them."""
        return self.filter(version__gt=version)

    def with_gravity(self, now):
        """Add `present_gravity`, each memory's gravity as it is at `now`; nothing is written."""
        return self.annotate(present_gravity=present_gravity(now=now))
