"""What was said before the message in its conversation: the last of it word for word, what lies before that in short."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chat.access import ChatAccess
from chat.attachments.material import NONE_ATTACHED, Attached, load_attached
from chat.models import Conversation, Message
from chat.quiz.course import Asked, read_asked
from chat.said import read_as
from chat.summaries.points import SUMMARY, summary_block
from chat.turn.intentions import find_stated
from companion_site.embeddings.protocol import Embedder
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.types import Utterance
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope
from memory.reading.requests import find_purposes

SIDES: dict[str, Literal["user", "assistant"]] = {
    Message.Role.PERSON: "user",
    Message.Role.COMPANION: "assistant",
}


#: After danger, so many replies are gentle.
GENTLE_REPLIES = 2


@dataclass(frozen=True)
class Earlier:
    """The last messages, oldest first, and the summary of those before them ("" where there are none).

    Attributes:
        after_danger: one of the last `GENTLE_REPLIES` replies here was to danger.
        attached: what goes with the message itself, and the files that went with these turns.
        asked: the question of a quiz that the last reply asked.
        said: of these turns what the person said, but for danger.
    """

    turns: tuple[Utterance, ...] = ()
    summary: str = ""
    after_danger: bool = False
    attached: Attached = NONE_ATTACHED
    asked: Asked | None = None
    said: tuple[str, ...] = ()

    @property
    def replied(self) -> str:
        """The last reply here; "" for none."""
        return next((turn.text for turn in reversed(self.turns) if turn.role == "assistant"), "")

    def told(self, embedder: Embedder) -> tuple[str, ...]:
        """Return what the person stated here, clause by clause, oldest first; with what is to be kept, and without what is to be forgotten."""
        told: dict[str, None] = {}
        for text, purpose in zip(self.said, find_purposes(self.said, embedder), strict=True):
            stated = find_stated(text)
            if purpose != "forget_this" and (purpose != "ask" or len(stated) > 1):
                told |= dict.fromkeys(stated)
        return tuple(told)

    def utter(self, message: Message, text: str) -> Utterance:
        """Return the message itself with the pictures that go with it."""
        return Utterance("user", text, self.attached.pictures.get(message.pk, ()))

    def block(self, tokens: int) -> str:
        return summary_block(self.summary, tokens=tokens)


def load_earlier(access: ChatAccess, message: Message) -> Earlier:
    """Return what stands before `message`; replies that failed are left out."""
    kept = [Message.State.COMPLETE, Message.State.STOPPED]
    with space_scope(access.space), access.open():
        before = (
            Message.objects.for_space(access.space)
            .filter(conversation_id=message.conversation_id, state__in=kept, text__isnull=False)
            .before(message.position)
            .order_by("-position")
        )
        columns = ("pk", "role", "text", "language", "provider")
        rows = list(before.current().values_list(*columns)[: SUMMARY.window])
        open_text = opener(access.space, Message, "text")
        texts = [
            (pk, role, read_as(text, language=language) if role == Message.Role.PERSON else text)
            for pk, role, box, language, _ in reversed(rows)
            if (text := open_text(pk, box)) is not None
        ]
        attached = load_attached(access.space, [message.pk, *(pk for pk, *_rest in rows)])
        turns = tuple(
            Utterance(SIDES[role], text, attached.pictures.get(pk, ())) for pk, role, text in texts if text
        )
        of_danger = set(before.of_danger().values_list("pk", flat=True))
        said = tuple(
            text for pk, role, text in texts if role == Message.Role.PERSON and pk not in of_danger and text
        )
        reaches_further = message.position > SUMMARY.window + 1
        # Whoever changes words of danger has said them all the same.
        replies = before.filter(role=Message.Role.COMPANION)[:GENTLE_REPLIES]
        answers = replies.values_list("reply_type", flat=True)
        return Earlier(
            turns,
            _read_summary(access, message) if reaches_further else "",
            Message.ReplyType.ESCALATION in answers,
            attached,
            _find_asked(access, rows),
            said,
        )


def _find_asked(access: ChatAccess, rows: Sequence[tuple]) -> Asked | None:
    """Return the question of a quiz that the last reply asked, where the companion without a model gave it whole."""
    last = next(((pk, provider) for pk, role, *_, provider in rows if role == Message.Role.COMPANION), None)
    if last is None or last[1] != OfflineCompanion.name:
        return None
    reply = Message.objects.for_space(access.space).filter(pk=last[0], state=Message.State.COMPLETE).first()
    return read_asked(reply.outcome, reply.pk) if reply is not None else None


def _read_summary(access: ChatAccess, message: Message) -> str:
    rows = Conversation.objects.for_space(access.space).with_memory().filter(pk=message.conversation_id)
    box = rows.values_list("summary", flat=True).first()
    open_summary = opener(access.space, Conversation, "summary")
    return open_summary(message.conversation_id, box) if box is not None else ""
