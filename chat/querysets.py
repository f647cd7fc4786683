"""The words this project uses to read conversations and messages."""

from companion_site.vault.rows import SpaceQuerySet


class ConversationQuerySet(SpaceQuerySet):
    def of_author(self, person):
        """Keep a person's own: colleagues share a memory, not their conversations."""
        return self.filter(author_id=person.pk)

    def listed(self):
        return self.filter(archived_at__isnull=True).order_by("-updated_at", "-id")


class MessageQuerySet(SpaceQuerySet):
    def said_by_person(self):
        return self.filter(role="person")

    def awaiting_formation(self):
        """Keep what the person said and no memory has been formed from yet."""
        return self.said_by_person().filter(
            formed_at__isnull=True, text_removed_at__isnull=True, conversation__memory_on=True
        )

    def before(self, position):
        return self.filter(position__lt=position)
