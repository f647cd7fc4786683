"""Living a recorded conversation as a student would have, with its own dates.

Each session becomes a conversation, each turn a message, and memories form by the same code as after a chat. What an
"assistant" said is the companion's side and forms nothing; any other second speaker is a person whose words count.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from chat.access import ChatAccess
from chat.formation import form_from_message
from chat.models import Conversation, Message
from chat.services import make_title
from chat.transcripts import Conversation as Transcript
from chat.transcripts import Session, Turn
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.language import detect_language, sanitise

SECONDS_BETWEEN_TURNS = 30
COMPANION_SPEAKERS = frozenset({"assistant", "companion", "system"})


@dataclass
class Replayed:
    """What came of a replay: which message each turn became, and how many memories formed."""

    turn_of: dict[UUID, str] = field(default_factory=dict)
    memories: int = 0


def live_through(
    access: ChatAccess, transcript: Transcript, *, tell: Callable[[int, int], None] | None = None
) -> Replayed:
    """Store every turn and form its memories, in order.

    Args:
        tell: called with (turns done, turns in all) as it goes.
    """
    done = Replayed()
    total = sum(len(session.turns) for session in transcript.sessions)
    for session in transcript.sessions:
        messages = _store_session(access, transcript, session)
        for message, turn in zip(messages, session.turns, strict=True):
            done.turn_of[message.pk] = turn.id
            if message.role == Message.Role.PERSON:
                formed = form_from_message(access.space, message.pk, key=access.key, now=message.said_at)
                done.memories += formed or 0
            if tell is not None:
                tell(len(done.turn_of), total)
    return done


def _store_session(access: ChatAccess, transcript: Transcript, session: Session) -> list[Message]:
    with space_scope(access.space), unlocked(access.space, access.key):
        row = Conversation.objects.create(
            space_id=access.space,
            author=access.person,
            title=make_title(session.turns[0].text) if session.turns else session.id,
            created_at=session.at,
            updated_at=_said_at(session, len(session.turns)),
        )
        messages: list[Message] = []
        for index, turn in enumerate(session.turns):
            messages.append(_store_turn(access, transcript, session, row, turn, index, messages))
        return messages


def _store_turn(
    access: ChatAccess,
    transcript: Transcript,
    session: Session,
    row: Conversation,
    turn: Turn,
    index: int,
    earlier: list[Message],
) -> Message:
    spoken_by_companion = turn.speaker.casefold() in COMPANION_SPEAKERS
    text = sanitise(turn.text)
    return Message.objects.create(
        id=new_id(),
        space_id=access.space,
        conversation=row,
        parent=earlier[-1] if earlier else None,
        position=index + 1,
        role=Message.Role.COMPANION if spoken_by_companion else Message.Role.PERSON,
        text=text,
        language=detect_language(text, default=_default_language(transcript)),  # type: ignore[arg-type]
        speaker=None if spoken_by_companion or turn.speaker == transcript.people[0] else turn.speaker,
        said_at=_said_at(session, index),
    )


def _said_at(session: Session, index: int) -> datetime:
    return session.at + timedelta(seconds=SECONDS_BETWEEN_TURNS * index)


def _default_language(transcript: Transcript) -> str:
    return "sv" if transcript.language == "sv" else "en"
