"""What was said before the message in its conversation: the last of it word for word, what lies before that in short."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from chat.access import ChatAccess
from chat.attachments.material import NONE_ATTACHED, Attached, load_attached
from chat.models import Conversation, Message
from chat.quiz.course import Asked, read_asked
from chat.said import read_as
from chat.summaries.points import SUMMARY, summary_block
from chat.turn.answers import Stated
from chat.turn.intentions import find_stated
from companion_site.embeddings.protocol import Embedder
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.types import Utterance
from companion_site.vault.columns import opener
from companion_site.vault.scope import space_scope
from memory.reading.questions import find_same_kind
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

    def told(self, embedder: Embedder) -> list[Stated]:
        """Return what the person stated here, clause by clause, oldest first; with what is to be kept, and without what is to be forgotten."""
        return [*{one.text: one for stated in self._read(self.said, embedder) for one in stated}.values()]

    def put_right(self, text: str, embedder: Embedder) -> list[str]:
        """Return what was stated just before that the next message puts right."""
        *before, stated = self._read((*self.said, text), embedder)
        known = {one.text for each in before for one in each}
        return [one.after for one in stated if one.after in known]

    def _read(self, said: Sequence[str], embedder: Embedder) -> list[list[Stated]]:
        """Return the clauses of each message that state something."""
        clauses = [find_stated(text) for text in said]
        purposes = find_purposes(said, embedder, [[], *clauses][: len(clauses)])
        found = list[list[Stated]]()
        for text, stated, purpose in zip(said, clauses, purposes, strict=True):
            before = [one.text for one in found[-1]] if found else []
            if purpose == "forget_this" or (purpose == "ask" and len(stated) < 2):
                found.append([])
            elif purpose == "correct":
                found.append([self._correction(clause, text, before) for clause in stated or [text]])
            else:
                found.append([*map(Stated, stated)])
        return found

    def _correction(self, clause: str, text: str, before: Sequence[str]) -> Stated:
        """Return a clause of a message that puts something right, with what that is: a clause just before it, or what was just replied."""
        place = find_same_kind(clause, before)
        return Stated(clause, self._reply_before(text) if place is None else before[place])

    def _reply_before(self, text: str) -> str:
        """Return the reply that stood before what the person said; "" for none."""
        pairs = [
            (turn.text, before.text) for before, turn in pairwise(self.turns) if before.role == "assistant"
        ]
        return dict(pairs).get(text, "")

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
