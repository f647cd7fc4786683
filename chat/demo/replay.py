"""Living a recorded conversation as a student would have, with its own dates.

Each session becomes a conversation, each turn a message, and memories form by the same code as after a chat. What an
"assistant" said is the companion's side and forms nothing; any other second speaker is a person whose words count. Between
two sessions the memory sleeps where there was time for it, as it would have.

Every turn is known again by the transcript's name and its own id: living it twice adds nothing, and going on after a
kill adds what is missing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.conf import settings

from chat.access import ChatAccess
from chat.demo.recordings import BadConversation, Session, Turn
from chat.demo.recordings import Conversation as Transcript
from chat.memories.exchange import read_exchange
from chat.memories.formation import form_from_message
from chat.models import Conversation, Message
from chat.said import make_title, sense
from companion_site.ids import new_id
from companion_site.language import as_language, detect_language, sanitise
from companion_site.vault.scope import space_scope, write_scope
from memory.student.params import SLEEP
from memory.student.sleep.run import sleep_through
from memory.student.sleep.timing import has_fresh

SECONDS_BETWEEN_TURNS = 30
COMPANION_SPEAKERS = frozenset({"assistant", "companion", "system"})
#: Under which a turn's name and id become the message's client id.
REPLAYED = UUID("6f1c2a0e-53c1-5b0e-9d3d-1f0f5a7f2c11")


@dataclass
class Replayed:
    """What came of a replay: which message each turn became, how many were new, and how many memories formed."""

    turn_of: dict[UUID, str] = field(default_factory=dict)
    added: int = 0
    memories: int = 0
    #: runs of sleep between the sessions
    sleeps: int = 0


def live_through(
    access: ChatAccess,
    transcript: Transcript,
    *,
    sleeps: bool = False,
    tell: Callable[[int, int], None] | None = None,
) -> Replayed:
    """Store every turn that is not there yet and form its memories, in order. Turns without words are left out.

    Args:
        sleeps: whether the memory sleeps between two sessions that lie far enough apart.
        tell: called with (turns done, turns in all) as it goes.

    Raises:
        BadConversation: a turn is longer than a message may be, or was lived before with other words; nothing of its
            session is stored then.
    """
    done = Replayed()
    spoken = [(session, _spoken(session)) for session in transcript.sessions]
    total = sum(len(turns) for _, turns in spoken)
    for (session, turns), following in zip(spoken, [*transcript.sessions[1:], None], strict=True):
        messages = _store_session(access, transcript, session, turns, done)
        for message, turn in zip(messages, turns, strict=True):
            done.turn_of[message.pk] = turn.id
            if message.role == Message.Role.PERSON:
                formed = form_from_message(access.space, message.pk, key=access.key, now=message.said_at)
                done.memories += formed or 0
            if tell is not None:
                tell(len(done.turn_of), total)
        if messages:
            last = messages[-1]
            read_exchange(access.space, last.conversation_id, key=access.key, now=last.said_at)
        if sleeps and following is not None:
            done.sleeps += _sleep_before(
                access, following, last=_said_at(session, turns[-1]) if turns else session.at
            )
    return done


def store_turns(access: ChatAccess, transcript: Transcript) -> None:
    """Store every turn that is not there yet, and form nothing of it.

    Raises:
        BadConversation: as `live_through`.
    """
    for session in transcript.sessions:
        _store_session(access, transcript, session, _spoken(session), Replayed())


def _sleep_before(access: ChatAccess, following: Session, *, last: datetime) -> int:
    """Sleep between two sessions where there was time for it and something waits; return how many runs it took."""
    begins = last + timedelta(hours=SLEEP.after_hours)
    if following.at < begins:
        return 0
    with space_scope(access.space):
        waits = has_fresh(access.space, by=begins)
    return len(sleep_through(access.space, key=access.key, now=begins)) if waits else 0


def _spoken(session: Session) -> list[Turn]:
    """Return the turns that say something.

    Raises:
        BadConversation: one is longer than a message may be.
    """
    for turn in session.turns:
        if len(turn.text) > settings.MESSAGE_MAX_CHARS:
            raise BadConversation(
                f"turn {turn.id} is longer than a message may be ({settings.MESSAGE_MAX_CHARS} characters)"
            )
    return [turn for turn in session.turns if sanitise(turn.text).strip()]


def _store_session(
    access: ChatAccess, transcript: Transcript, session: Session, turns: Sequence[Turn], done: Replayed
) -> list[Message]:
    """Store what is missing of a session, in one transaction; return its messages, turn by turn."""
    title = _title(access, turns[0]) if turns else ""
    ids = {turn.id: uuid5(REPLAYED, f"{transcript.name}\0{turn.id}") for turn in turns}
    with write_scope(access.space), access.open():
        lived = Message.objects.for_space(access.space).filter(
            client_id__in=list(ids.values()), conversation__author=access.person
        )
        known = {row.client_id: row for row in lived if row.client_id is not None}
        missing = [turn for turn in turns if ids[turn.id] not in known]
        for turn in turns:
            row = known.get(ids[turn.id])
            if row is not None and row.text is not None and row.text != sanitise(turn.text):
                raise BadConversation(
                    f"turn {turn.id} was lived before with other words: is this another file of the same name?"
                )
        if missing:
            conversation = next((message.conversation for message in known.values()), None)
            conversation = conversation or Conversation.objects.create(
                space_id=access.space,
                author=access.person,
                title=title,
                created_at=session.at,
                updated_at=_said_at(session, turns[-1]),
            )
            said = Message.objects.for_space(access.space).filter(conversation=conversation)
            last = said.order_by("position").last()
            for turn in missing:
                last = _store_turn(access, transcript, session, conversation, turn, ids[turn.id], last)
                known[ids[turn.id]] = last
        done.added += len(missing)
    return [known[ids[turn.id]] for turn in turns]


def _title(access: ChatAccess, turn: Turn) -> str:
    """Return what a session is called by its first turn; embeds, so before any transaction."""
    text = sanitise(turn.text).strip()
    return make_title(text, sense(text), language=as_language(access.person.language))


def _store_turn(
    access: ChatAccess,
    transcript: Transcript,
    session: Session,
    row: Conversation,
    turn: Turn,
    client_id: UUID,
    last: Message | None,
) -> Message:
    spoken_by_companion = turn.speaker.casefold() in COMPANION_SPEAKERS
    text = sanitise(turn.text)
    return Message.objects.create(
        id=new_id(),
        space_id=access.space,
        conversation=row,
        parent=last,
        position=last.position + 1 if last else 1,
        role=Message.Role.COMPANION if spoken_by_companion else Message.Role.PERSON,
        client_id=client_id,
        text=text,
        language=detect_language(text, default=as_language(transcript.language)),
        speaker=None if spoken_by_companion or turn.speaker == transcript.people[0] else turn.speaker,
        said_at=_said_at(session, turn),
    )


def _said_at(session: Session, turn: Turn) -> datetime:
    """Return when a turn was said: the files know the session's time alone."""
    return session.at + timedelta(seconds=SECONDS_BETWEEN_TURNS * (turn.position - session.turns[0].position))
