"""The words for reading openings; each can be chained."""

from django.db import models

from companion_site.vault.rows import SpaceQuerySet


class OpeningQuerySet(SpaceQuerySet):
    def standing(self):
        """Keep what has not been taken back."""
        return self.filter(closed_at__isnull=True)

    def meant_for(self, person, classes):
        """Keep what was opened for a student or for one of their classes, given by ids."""
        return self.filter(models.Q(person_id=person) | models.Q(school_class_id__in=classes))
