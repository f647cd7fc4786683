"""A node as programs write it, for agents' memory and packs alike: its one form on the wire and in words, for MCP, REST, packs and
snapshots, and its bounds, which are checked before anything is kept.
"""

import json
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput
from companion_site.language import detect_language, sanitise, tokens
from memory.algorithms.activation import DECAY, LINK_WEIGHT
from memory.models.agents import NodeType

REASONS = {
    "missing": _("It is missing."),
    "kind": _("It is of the wrong kind."),
    "form": _("Its form is not allowed."),
    "not-a-path": _("Write lower-case words joined by dots, such as skill.python.closures."),
    "not-a-type": _("It is one of concept, skill, fact, snippet, pattern, episode, tool, persona and task."),
    "not-a-relation": _("Begin with a letter; go on with a to z, 0 to 9, - and _, at most 50 characters."),
    "no-node-field": _(
        "There is no such field. A node has id, type, label, payload, links, children, tags, stats, resonance and meta."
    ),
    "no-link-field": _("There is no such field. A link has to, rel and w."),
    "too-long": _("It is too long."),
    "too-large": _("It is too large."),
    "too-deep": _("It is nested too deeply."),
    "too-many": _("There are too many of them."),
    "range": _("It is out of range."),
    "twice": _("It is there twice."),
    "itself": _("A node cannot point to itself."),
    "cycle": _("Children lead back to their parent."),
}
PATH_CHARS, PATH_SEGMENTS = 300, 12
LABEL_CHARS = 300
PAYLOAD_BYTES, PAYLOAD_DEPTH = 32 * 1024, 8
META_BYTES, META_DEPTH = 4 * 1024, 4
LINKS, CHILDREN, TAGS, TAG_CHARS = 256, 256, 32, 60
REL_CHARS = NAME_CHARS = 50
NAME_OF_SOURCE_CHARS = 200
NODES_A_CALL, NODES_AN_AGENT = 200, 10_000
#: that a node may bring along; its row has room to count on from there
MOST_USES = 10**9
FIELDS = frozenset(
    ("id", "type", "label", "payload", "links", "children", "tags", "stats", "resonance", "meta")
)
_SEGMENT = re.compile(r"[^\W_][\w-]*")
_REL = re.compile(r"[a-z][a-z0-9_-]*")
#: Of a node's words only so many are indexed and embedded; what is longer is told by its beginning.
TEXT_CHARS = 4_000
#: Said first of a payload, so that what is cut off is the least telling.
FIRST = ("definition", "summary", "text", "examples", "code")
#: what parts the words of a path
IN_WORDS = str.maketrans("._-", "   ")
#: of moments in seconds since the epoch
NEVER = math.nan


class NodeInvalid(InvalidInput):
    """A node, or what was sent beside nodes, cannot be taken as it is; nothing was written.

    Attributes:
        field: which part of it, as the wire names it; never what stood there.
        reason: a key of `REASONS`.
        number: which of the nodes, from 0; None where it is about none.
    """

    code = "agent.node-invalid"

    def __init__(self, field: str, reason: str, *, number: int | None = None) -> None:
        self.field, self.reason, self.number = field, reason, number
        super().__init__(REASONS[reason])

    def __str__(self) -> str:
        where = self.field if self.number is None else f"nodes[{self.number}].{self.field}"
        return f"{where}: {self.message}"


@dataclass(frozen=True, kw_only=True)
class CleanNode:
    """A node as it may be kept.

    Attributes:
        content: id, type, label, payload, links, children, tags, meta.
        given: the fields that the sender named; the others hold what stands for nothing said.
        uses, last_used_at, resonance, decay: what it brings along of its use elsewhere; 0 and None where it says nothing.
    """

    content: dict[str, Any]
    given: frozenset[str]
    uses: int = 0
    last_used_at: datetime | None = None
    resonance: float = 0.0
    decay: float | None = None

    @property
    def path(self) -> str:
        return str(self.content["id"])


def clean_node(raw: object, *, more: Collection[str] = ()) -> CleanNode:
    """Return a node of the wire as it may be kept.

    Args:
        more: fields that the caller takes itself, as a pack does "embeddings".

    Raises:
        NodeInvalid: the first thing that is wrong with it.
    """
    if not isinstance(raw, Mapping):
        raise NodeInvalid("node", "kind")
    if not FIELDS.union(more).issuperset(raw):
        raise NodeInvalid("node", "no-node-field")
    path = clean_path(raw.get("id"), field="id")
    content = {
        "id": path,
        "type": clean_type(raw.get("type")),
        "label": clean_label(raw.get("label"), path),
        "payload": _clean_object(raw.get("payload"), "payload", most=PAYLOAD_BYTES, depth=PAYLOAD_DEPTH),
        "links": clean_links(raw.get("links"), path),
        "children": _clean_children(raw.get("children"), path),
        "tags": clean_tags(raw.get("tags")),
        "meta": _clean_meta(raw.get("meta")),
    }
    return CleanNode(
        content=content,
        given=frozenset(raw),
        **_clean_stats(raw.get("stats")),
        **_clean_resonance(raw.get("resonance")),
    )


def clean_path(value: object, *, field: str) -> str:
    """Return a path as it is, or refuse it: it is an id, so nothing of it is changed."""
    if value is None or value == "":
        raise NodeInvalid(field, "missing")
    if not isinstance(value, str):
        raise NodeInvalid(field, "kind")
    if len(value) > PATH_CHARS:
        raise NodeInvalid(field, "too-long")
    segments = value.split(".")
    if len(segments) > PATH_SEGMENTS:
        raise NodeInvalid(field, "too-deep")
    canonical = value == unicodedata.normalize("NFC", value).lower()
    if not canonical or not all(map(_SEGMENT.fullmatch, segments)):
        raise NodeInvalid(field, "not-a-path")
    return value


def clean_type(value: object) -> str:
    if value is None:
        raise NodeInvalid("type", "missing")
    if value not in NodeType.values:
        raise NodeInvalid("type", "not-a-type")
    return str(value)


def clean_label(value: object, path: str) -> str:
    """Return the label on one line; of a node without one, the end of its path."""
    if value is None:
        return path.rsplit(".", 1)[-1]
    if not isinstance(value, str):
        raise NodeInvalid("label", "kind")
    label = " ".join(sanitise(value).split())
    if len(label) > LABEL_CHARS:
        raise NodeInvalid("label", "too-long")
    return label or path.rsplit(".", 1)[-1]


def clean_links(value: object, path: str) -> list[dict[str, Any]]:
    """Return the links in their order, each {"to", "rel", "w"}; of two that say the same, the heavier."""
    links: dict[tuple[str, str], float] = {}
    for link in _given(value, "links", list | tuple, most=LINKS):
        if not isinstance(link, Mapping):
            raise NodeInvalid("links", "kind")
        if not {"to", "rel", "w"}.issuperset(link):
            raise NodeInvalid("links", "no-link-field")
        to = clean_path(link.get("to"), field="links.to")
        if to == path:
            raise NodeInvalid("links.to", "itself")
        rel = link.get("rel", "related")
        if not isinstance(rel, str) or len(rel) > REL_CHARS or not _REL.fullmatch(rel):
            raise NodeInvalid("links.rel", "not-a-relation")
        weight = _clean_number(link.get("w", LINK_WEIGHT), "links.w", least=0.0, most=1.0)
        links[to, rel] = max(weight, links.get((to, rel), 0.0))
    return [{"to": to, "rel": rel, "w": weight} for (to, rel), weight in links.items()]


def clean_tags(value: object, *, field: str = "tags") -> list[str]:
    """Return tags in lower case, each once, in their order."""
    given = _given(value, field, list | tuple, most=TAGS)
    if not all(isinstance(tag, str) for tag in given):
        raise NodeInvalid(field, "kind")
    tags = [" ".join(sanitise(tag).lower().split()) for tag in given]
    if any(len(tag) > TAG_CHARS for tag in tags):
        raise NodeInvalid(field, "too-long")
    return list(dict.fromkeys(filter(None, tags)))


def clean_text(value: object, *, field: str, most: int) -> str:
    """Return a text that may be left out, without what cannot be seen or stored."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NodeInvalid(field, "kind")
    text = sanitise(value).strip()
    if len(text) > most:
        raise NodeInvalid(field, "too-long")
    return text


def clean_line(value: object, *, field: str, most: int) -> str:
    """Return a text on one line. Raises NodeInvalid: nothing of it can be seen."""
    line = " ".join(clean_text(value, field=field, most=most).split())
    if not line:
        raise NodeInvalid(field, "missing")
    return line


def find_cycle(children_of: Callable[[str], Iterable[str]], starts: Iterable[str]) -> bool:
    """Tell whether children lead from any of `starts` back to a node on the way; without recursion, each node once."""
    done: set[str] = set()
    for start in starts:
        way: dict[str, None] = {}
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            path, leaving = stack.pop()
            if leaving:
                del way[path]
                done.add(path)
            elif path in way:
                return True
            elif path not in done:
                way[path] = None
                stack.append((path, True))
                stack.extend((child, False) for child in children_of(path))
    return False


def _given(value: object, field: str, kind: Any, *, most: int | None = None) -> Any:
    """Return a value of a kind, () where it is left out."""
    if not isinstance(value, kind | None):
        raise NodeInvalid(field, "kind")
    if most is not None and len(value or ()) > most:
        raise NodeInvalid(field, "too-many")
    return value or ()


def _clean_object(value: object, field: str, *, most: int, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = clean_json(dict(_given(value, field, Mapping)), field, most=most, depth=depth)
    return found


def _clean_children(value: object, path: str) -> dict[str, str]:
    found = {}
    for name, child in dict(_given(value, "children", Mapping, most=CHILDREN)).items():
        if not isinstance(name, str) or not name or len(name) > NAME_CHARS or sanitise(name) != name:
            raise NodeInvalid("children", "form")
        found[name] = clean_path(child, field="children")
        if child == path:
            raise NodeInvalid("children", "itself")
    return found


def _clean_meta(value: object) -> dict[str, Any]:
    meta = _clean_object(value, "meta", most=META_BYTES, depth=META_DEPTH)
    for name in ("source", "task", "session"):
        text = meta.get(name, "")
        if not isinstance(text, str):
            raise NodeInvalid(f"meta.{name}", "kind")
        if len(text) > NAME_OF_SOURCE_CHARS:
            raise NodeInvalid(f"meta.{name}", "too-long")
    return meta


def _clean_stats(value: object) -> dict[str, Any]:
    stats = dict(_given(value, "stats", Mapping))
    uses = _clean_number(stats.get("uses", 0), "stats.uses", least=0, most=MOST_USES)
    last = stats.get("last_used_at")
    return {"uses": int(uses), "last_used_at": None if last is None else _clean_time(last)}


def _clean_resonance(value: object) -> dict[str, Any]:
    given = dict(_given(value, "resonance", Mapping))
    decay = given.get("decay")
    return {
        "resonance": _clean_number(given.get("value", 0.0), "resonance.value", least=0.0, most=1.0),
        "decay": None if decay is None else _clean_number(decay, "resonance.decay", least=0.0, most=1.0),
    }


def _clean_number(value: object, field: str, *, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NodeInvalid(field, "kind")
    if not least <= value <= most:
        raise NodeInvalid(field, "range")
    return float(value)


def _clean_time(value: object) -> datetime:
    if not isinstance(value, str) or len(value) > 40:
        raise NodeInvalid("stats.last_used_at", "kind")
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise NodeInvalid("stats.last_used_at", "form") from None


def clean_json(value: Any, field: str, *, most: int, depth: int) -> Any:
    """Return a value of JSON with its texts sanitised.

    Raises:
        NodeInvalid: it is too large, too deep, or holds what JSON does not.
    """
    _check_shape(value, field, most=most, depth=depth)
    found = _sanitised(value)
    if len(json.dumps(found, ensure_ascii=False).encode()) > most:
        raise NodeInvalid(field, "too-large")
    return found


def _check_shape(value: Any, field: str, *, most: int, depth: int) -> None:
    """Walk a value with bounded work, so that what is deep or huge is refused before it is copied."""
    room, stack = most, [(value, 0)]
    while stack:
        item, level = stack.pop()
        if level > depth:
            raise NodeInvalid(field, "too-deep")
        if isinstance(item, Mapping):
            if not all(isinstance(key, str) for key in item):
                raise NodeInvalid(field, "kind")
            room -= sum(len(key) + 1 for key in item)
            stack.extend((part, level + 1) for part in item.values())
        elif isinstance(item, list | tuple):
            stack.extend((part, level + 1) for part in item)
        elif isinstance(item, str):
            room -= len(item)
        elif isinstance(item, int | None):
            if item is not None and abs(item) >= 2**63:
                raise NodeInvalid(field, "range")
        elif not isinstance(item, float):
            raise NodeInvalid(field, "kind")
        elif not math.isfinite(item):
            raise NodeInvalid(field, "range")
        room -= 1
        if room < 0:
            raise NodeInvalid(field, "too-large")


def _sanitised(value: Any) -> Any:
    if isinstance(value, str):
        return sanitise(value)
    if isinstance(value, Mapping):
        return {sanitise(key): _sanitised(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_sanitised(part) for part in value]
    return value


def wire_node(
    content: Mapping[str, Any],
    *,
    uses: int = 0,
    last_used_at: float = NEVER,
    resonance: float = 0.0,
    decay: float = DECAY,
) -> dict[str, Any]:
    """Return a node as it goes over the wire; `resonance` is that of now."""
    last = None if math.isnan(last_used_at) else datetime.fromtimestamp(last_used_at, UTC).isoformat()
    return {
        "id": content["id"],
        "type": content["type"],
        "label": content["label"],
        "payload": content["payload"],
        "links": content["links"],
        "children": content["children"],
        "tags": content["tags"],
        "stats": {"uses": uses, "last_used_at": last},
        "resonance": {"value": round(resonance, 6), "decay": decay, "last_activated_at": last},
        "meta": content["meta"],
    }


def text_of(content: Mapping[str, Any]) -> str:
    """Return what of a node is searched and embedded: its label, its path in words, its payload."""
    payload = content["payload"]
    names = [*(name for name in FIRST if name in payload), *sorted(payload.keys() - set(FIRST))]
    parts = [content["label"], content["id"].translate(IN_WORDS), " ".join(content["tags"])]
    room = TEXT_CHARS
    kept = []
    for part in (*parts, *(text for name in names for text in _texts(payload[name]))):
        kept.append(part[:room])
        room -= len(part) + 1
        if room <= 0:
            break
    return "\n".join(filter(None, kept))


def terms_of(text: str) -> list[str]:
    """Return the terms of a node for the lexical index, stemmed in the language that it is in."""
    return tokens(text, detect_language(text, default="en"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name in sorted(value):
            yield from _texts(value[name])
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
