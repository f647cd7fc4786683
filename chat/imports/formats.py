"""What exports of ChatGPT, Claude and Open WebUI say, as one form: who said what when, along the branch that was shown last.

What no person saw is left out: instructions, tools, thoughts and hidden messages. A part that is missing or of another kind than it should
be counts as not there; an export is somebody else's program's work, and one odd message is no reason to refuse the others.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from pydantic import BaseModel

from companion_site.language import sanitise

#: under which a source and its own ids become ours
IMPORTED = UUID("0f0d5f0c-6a0e-5d1b-9c53-5b1b8a4f7e21")
#: No chat is older; a time outside counts as none.
OLDEST = datetime(2000, 1, 1, tzinfo=UTC)
#: Clocks of others may be ahead so far.
AHEAD = timedelta(days=1)
LONGEST_TITLE = 100
PERSON, COMPANION = "person", "companion"
_SENDERS = {"user": PERSON, "human": PERSON, "assistant": COMPANION}
#: Kinds of ChatGPT's contents that were shown as words.
_SHOWN = frozenset({"text", "multimodal_text"})


class Line(BaseModel):
    """One message: `id` is the same whenever it is imported; `at` is None where the export does not say when."""

    id: UUID
    who: str
    text: str
    at: datetime | None


class Talk(BaseModel):
    """One conversation of an export; as JSON it is sealed until it is kept.

    Attributes:
        origin: the same whenever it is imported.
        skipped: messages that no person saw, or without words.
        split: messages longer than one may be here, which became several.
    """

    source: str
    origin: UUID
    title: str
    began_at: datetime | None
    lines: tuple[Line, ...]
    skipped: int = 0
    split: int = 0


@dataclass(frozen=True)
class _Told:
    """A message as its export has it: `who` is None for what is passed over."""

    id: str
    who: str | None
    text: str
    at: datetime | None


def read_talk(entry: object, *, now: datetime) -> Talk | None:
    """Return a conversation of whichever export it is; None where it is none."""
    if isinstance(entry, dict):
        for key, source, read in _FORMATS:
            if isinstance(entry.get(key), dict | list):
                return read(source, entry, now)
    return None


def _read_chatgpt(source: str, entry: dict[str, Any], now: datetime) -> Talk:
    nodes = _mapping(entry["mapping"])
    last: str | None = _word(entry.get("current_node"))
    if last not in nodes:
        last = _newest_leaf(nodes, "children")
    told = []
    for name, node in _branch(nodes, last, "parent"):
        message = _mapping(node.get("message"))
        if message:
            told.append(_chatgpt_message(name, message, now))
    known = entry.get("conversation_id") or entry.get("id")
    return _talk(source, known, entry.get("title"), _seconds(entry.get("create_time"), now), told)


def _chatgpt_message(name: str, message: dict[str, Any], now: datetime) -> _Told:
    content, metadata = _mapping(message.get("content")), _mapping(message.get("metadata"))
    who = _SENDERS.get(_word(_mapping(message.get("author")).get("role")))
    shown = _word(content.get("content_type")) in _SHOWN and message.get("recipient", "all") == "all"
    if not shown or metadata.get("is_visually_hidden_from_conversation"):
        who = None
    words = (part.get("text") if isinstance(part, dict) else part for part in _list(content.get("parts")))
    text = "\n\n".join(part for part in words if isinstance(part, str) and part.strip())
    return _Told(_word(message.get("id")) or name, who, text, _seconds(message.get("create_time"), now))


def _read_claude(source: str, entry: dict[str, Any], now: datetime) -> Talk:
    rows = [row for row in _list(entry["chat_messages"]) if isinstance(row, dict)]
    nodes = {_word(row.get("uuid")) or str(number): row for number, row in enumerate(rows)}
    last = _word(entry.get("current_leaf_message_uuid"))
    branch: list[tuple[str, dict[str, Any]]] = list(nodes.items())
    if any(_word(row.get("parent_message_uuid")) in nodes for row in rows):
        branch = list(_branch(nodes, last if last in nodes else next(reversed(nodes)), "parent_message_uuid"))
    told = []
    for name, row in branch:
        blocks = [block for block in _list(row.get("content")) if isinstance(block, dict)]
        said = [_word(block.get("text")) for block in blocks if block.get("type") == "text"]
        text = "\n\n".join(part for part in said if part.strip()) or _word(row.get("text"))
        who = _SENDERS.get(_word(row.get("sender")))
        told.append(_Told(name, who, text, _moment(row.get("created_at"), now)))
    return _talk(source, entry.get("uuid"), entry.get("name"), _moment(entry.get("created_at"), now), told)


def _read_open_webui(source: str, entry: dict[str, Any], now: datetime) -> Talk:
    chat = _mapping(entry["chat"])
    history = _mapping(chat.get("history"))
    nodes = _mapping(history.get("messages"))
    last: str | None = _word(history.get("currentId"))
    if last not in nodes:
        last = _newest_leaf(nodes, "childrenIds")
    rows = list(_branch(nodes, last, "parentId"))
    if not rows:
        rows = [(str(number), _mapping(row)) for number, row in enumerate(_list(chat.get("messages")))]
    told = [
        _Told(
            _word(row.get("id")) or name,
            _SENDERS.get(_word(row.get("role"))),
            _word(row.get("content")),
            _seconds(row.get("timestamp"), now),
        )
        for name, row in rows
    ]
    began = _seconds(entry.get("created_at"), now) or _seconds(chat.get("timestamp"), now)
    return _talk(source, entry.get("id"), entry.get("title") or chat.get("title"), began, told)


_FORMATS: tuple[tuple[str, str, Callable[[str, dict[str, Any], datetime], Talk]], ...] = (
    ("mapping", "ChatGPT", _read_chatgpt),
    ("chat_messages", "Claude", _read_claude),
    ("chat", "Open WebUI", _read_open_webui),
)


def _talk(source: str, known: object, title: object, began: datetime | None, told: list[_Told]) -> Talk:
    """Return a conversation of what its export tells; without an id there, by how it begins."""
    shown = [(one, text) for one in told if one.who and (text := sanitise(one.text).strip())]
    began = began or next((one.at for one, _ in shown if one.at), None)
    key = _word(known) or json.dumps([_word(title), str(began), shown[0][1][:200] if shown else ""])
    origin = uuid5(IMPORTED, f"{source}\0{sanitise(key)}")
    lines, split = [], 0
    for one, text in shown:
        parts = list(_cut(text, settings.MESSAGE_MAX_CHARS))
        split += len(parts) > 1
        for number, part in enumerate(parts):
            line_id = uuid5(origin, f"{sanitise(one.id)}\0{number}")
            lines.append(Line(id=line_id, who=one.who or "", text=part, at=one.at))
    return Talk(
        source=source,
        origin=origin,
        title=" ".join(sanitise(_word(title)).split())[:LONGEST_TITLE].strip(),
        began_at=began,
        lines=tuple({line.id: line for line in lines}.values()),
        skipped=len(told) - len(shown),
        split=split,
    )


def _branch(nodes: Mapping[str, Any], last: object, parent: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what leads to a message, from the first; a ring ends where it began."""
    way: dict[str, dict[str, Any]] = {}
    while isinstance(last, str) and last in nodes and last not in way:
        way[last] = _mapping(nodes[last])
        last = way[last].get(parent)
    yield from reversed(way.items())


def _newest_leaf(nodes: dict[str, Any], children: str) -> str | None:
    """Return the last message that nothing follows, where the export does not say which was shown."""
    return next((name for name in reversed(nodes) if not _mapping(nodes[name]).get(children)), None)


def _cut(text: str, most: int) -> Iterator[str]:
    """Yield a text in parts of at most so many characters, cut between words where there is one near the end."""
    while len(text) > most:
        end = max(text.rfind(space, most // 2, most) for space in (" ", "\n"))
        end = end if end > 0 else most
        yield text[:end].strip() or text[:end]
        text = text[end:].strip()
    if text:
        yield text


def _seconds(value: object, now: datetime) -> datetime | None:
    """Return a moment of seconds, or of their thousandths, since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        value = float(value)
        return _likely(datetime.fromtimestamp(value / 1000 if value > 10**11 else value, UTC), now)
    except (OverflowError, ValueError, OSError):
        return None


def _moment(value: object, now: datetime) -> datetime | None:
    try:
        at = datetime.fromisoformat(_word(value))
        return _likely(at if at.tzinfo else at.replace(tzinfo=UTC), now)
    except (ValueError, OverflowError):
        return None


def _likely(at: datetime, now: datetime) -> datetime | None:
    return at if OLDEST <= at <= now + AHEAD else None


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""
