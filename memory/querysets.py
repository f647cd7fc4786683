"""The words this project uses to read memories; each can be chained."""

from datetime import datetime

from django.db.models import Case, IntegerField, Q, Value, When

from companion_site.vault.rows import SpaceQuerySet, unexpired


class NodeQuerySet(SpaceQuerySet):
    def active(self):
        """Keep what is believed now: neither superseded nor removed."""
        return self.filter(superseded_at__isnull=True, removed_at__isnull=True)

    def unexpired(self, now):
        return self.filter(unexpired(now))


#: The order in which facts are put before the model: C7.
READING_ORDER = ("preference", "unresolved", "decision", "knowledge")


class FactQuerySet(SpaceQuerySet):
    def active(self, now: datetime):
        """Keep what is believed at `now`, the present: not superseded and not expired."""
        return self.filter(unexpired(now), superseded_by__isnull=True)

    def believed_at(self, at: datetime):
        """Keep what was believed at a moment of the past."""
        standing = Q(superseded_at__isnull=True) | Q(superseded_at__gt=at)
        return self.filter(unexpired(at), standing, created_at__lte=at)

    def in_reading_order(self):
        """Order as the model reads: by category, newest first."""
        rank = Case(
            *(When(category=name, then=Value(place)) for place, name in enumerate(READING_ORDER)),
            output_field=IntegerField(),
        )
        return self.order_by(rank, "-created_at", "-id")
