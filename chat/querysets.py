"""The words this project uses to read conversations and messages."""

from django.db.models import F, Q

from companion_site.vault.rows import SpaceQuerySet


def memory_is_on(of: str = "") -> Q:
    """Return the one rule of memory: it is on where it is on for the conversation, which stands, and for its person.

    Args:
        of: the way to the conversation, as "conversation__".
    """
    return Q(
        **{f"{of}memory_on": True, f"{of}author__memory_on": True, f"{of}deleted_at__isnull": True},
    )


class ConversationQuerySet(SpaceQuerySet):
    def of_author(self, person):
        """Keep a person's own that they have not deleted: colleagues share a memory, not their conversations."""
        return self.filter(author_id=person.pk, deleted_at__isnull=True)

    def deleted_by(self, person, *, since):
        """Keep what a person has deleted of their own after a moment, the last deleted first."""
        return self.filter(author_id=person.pk, deleted_at__gt=since).order_by("-deleted_at", "-id")

    def with_memory(self):
        """Keep the conversations from which something may be remembered, and into which something recalled."""
        return self.filter(memory_is_on())

    def listed(self):
        """Keep what stands in the list: the pinned first, the last pinned before the others, then the last used."""
        last_pinned = F("pinned_at").desc(nulls_last=True)
        return self.filter(archived_at__isnull=True).order_by(last_pinned, "-updated_at", "-id")

    def archived(self):
        """Keep what was put away, the last put away first."""
        return self.filter(archived_at__isnull=False).order_by("-archived_at", "-id")


class InConversationQuerySet(SpaceQuerySet):
    def of_author(self, person):
        """Keep what stands in a person's own conversations, which they have not deleted."""
        return self.filter(conversation__author_id=person.pk, conversation__deleted_at__isnull=True)


class MessageQuerySet(InConversationQuerySet):
    def said_by_person(self):
        return self.filter(role="person")

    def current(self):
        """Keep what stands in its conversation: of several versions the one that is shown, with what was said after it."""
        return self.filter(set_aside_with__isnull=True)

    def awaiting_formation(self):
        """Keep what the person said and no memory has been formed from yet."""
        return (
            self.said_by_person()
            .current()
            .filter(memory_is_on("conversation__"), formed_at__isnull=True, text_removed_at__isnull=True)
        )

    def may_be_kept(self):
        """Leave out other versions, what was said while memory was off, and the replies to it: nothing is drawn from them."""
        off = {"formed_at__isnull": False, "snr__isnull": True}
        replies = {f"parent__{name}": value for name, value in off.items()}
        return self.current().exclude(role="person", **off).exclude(role="companion", **replies)

    def of_danger(self):
        """Keep what was answered as danger, and the answers to it."""
        return self.filter(Q(reply_type="escalation") | Q(children__reply_type="escalation"))

    def before(self, position):
        return self.filter(position__lt=position)


class AttachmentQuerySet(InConversationQuerySet):
    def waiting(self):
        """Keep what has not been sent yet."""
        return self.filter(message__isnull=True)

    def unopened(self):
        """Leave the content where it is: names, types and sizes are enough to show."""
        return self.defer("content")
