"""Nodes as a dictionary of dictionaries by path (HDoD), within a budget of tokens. Pure: same nodes, same bytes.

`skill.python.context-managers` stands at tree["skill"]["python"]["context-managers"]. What a node says is under keys
that begin with "_", which no segment of a path does, beside the nodes below it. Keys stand in the order of the score
of the nodes that brought them; where there is no score, as within a payload, in the order of their names.

What does not fit goes in this order: long details are shortened, the longest first; then the examples but for the
first; then whole nodes, the last first. A node that no budget has room for does not keep the others out.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: Characters that details are cut to, step by step, before anything else goes. None: whole.
DETAILS = (None, 2_000, 1_000, 500, 250, 120, 0)
#: The step after those of DETAILS: of examples only the first.
ONE_EXAMPLE = len(DETAILS)
#: Segments of the longest path; a store allows far fewer.
MOST_SEGMENTS = 64
CUT = "…"

Node = Mapping[str, Any]
Tree = dict[str, Any]
Count = Callable[[str], int]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_SORTING = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True)


def materialise(
    nodes: Sequence[Node],
    *,
    budget_tokens: int,
    count: Count,
    texts: Mapping[str, "NodeText"] | None = None,
) -> tuple[Tree, list[str]]:
    """Return the nodes as nested dictionaries whose `render` costs `budget_tokens` at the most, and whose paths are kept.

    Args:
        nodes: wire nodes, best first: "id" (a path), "type", "label", "payload", "meta". A path that comes twice
            counts where it came first.
        budget_tokens: what `count` may say of the rendered tree; where nothing fits the tree is empty.
        count: tokens of a text; more text is never fewer tokens.
        texts: by path, what is kept of nodes that were told before and are the same still; it saves encoding them again.

    Raises:
        ValueError: a path has an empty segment, one that begins with "_", or more of them than any store allows; or
            a payload is not JSON.
    """
    first: dict[str, Node] = {}
    for node in nodes:
        first.setdefault(node["id"], node)
    paths, known = list(first), texts or {}
    told = [known[path] if path in known else NodeText(node) for path, node in first.items()]
    fitting = _Fitting(told, budget_tokens=budget_tokens, count=count)
    step, kept = fitting.choose()
    # Read back from what was counted: the tree cannot say anything else.
    return json.loads(fitting.write(kept, step)), [paths[at] for at in kept]


def render(tree: Tree) -> str:
    """Return the tree as the compact JSON text that counts against the budget."""
    return _ENCODER.encode(tree)


def shorten(payload: Mapping[str, Any], step: int) -> dict[str, Any]:
    """Return a payload as a step leaves it: its details within `DETAILS[step]` characters, at last one example."""
    kept = dict(payload)
    most = DETAILS[min(step, len(DETAILS) - 1)]
    if "details" in kept and most is not None:
        kept["details"] = _shorten_details(kept["details"], most)
        if not kept["details"]:
            del kept["details"]
    if step >= ONE_EXAMPLE and isinstance(kept.get("examples"), list):
        kept["examples"] = kept["examples"][:1]
    return kept


def cut_text(text: str, most: int) -> str:
    """Return the first whole lines, sentences or else words of a text within `most` characters, marked where it is cut."""
    if len(text) <= most:
        return text
    room = most - len(CUT)
    if room <= 0:
        return ""
    head = text[:room]
    for end in ("\n", ". ", "! ", "? ", " "):
        at = head.rfind(end)
        if at >= room // 2:
            return head[: at + 1].rstrip() + CUT
    return head + CUT


def _shorten_details(details: Any, most: int) -> Any:
    """Return details of at most `most` characters: text cut, of a list the first entries, anything else all or nothing."""
    if isinstance(details, str):
        return cut_text(details, most)
    if not isinstance(details, list):
        return details if len(_ENCODER.encode(details)) <= most else None
    kept, used = [], 0
    for entry in details:
        used += len(_ENCODER.encode(entry))
        if used > most:
            break
        kept.append(entry)
    return kept


class NodeText:
    """What one node says at each step, each encoded once.

    Attributes:
        keys: the segments of its path, as encoded keys.
        most_chars: of the texts of all steps together, an upper bound.
    """

    __slots__ = ("_entries", "_head", "_payload", "_told", "keys", "most_chars")

    def __init__(self, node: Node) -> None:
        """Raise ValueError where its path is none or its payload is not JSON."""
        self.keys = _keys_of(node["id"])
        self._head = _head_of(node)
        self._payload = dict(node.get("payload") or {})
        self._entries = {key: _entry(key, self._payload[key]) for key in sorted(self._payload)}
        self._told: list[str | None] = [None] * (ONE_EXAMPLE + 1)
        self.most_chars = len(self._told) * len(self.tell(0))

    def tell(self, step: int) -> str:
        """Return it encoded, without the braces around it."""
        told = self._told[step]
        if told is None:
            told = self._told[step] = self._say(step)
        return told

    def _say(self, step: int) -> str:
        left = shorten(self._payload, step) if step else self._payload
        if step and len(left) == len(self._payload) and all(left[key] is self._payload[key] for key in left):
            return self.tell(0)
        entries = [
            entry if left[key] is self._payload[key] else _entry(key, left[key])
            for key, entry in self._entries.items()
            if key in left
        ]
        told = f'"_payload":{{{",".join(entries)}}}' if entries else ""
        return f"{self._head},{told}" if self._head and told else self._head or told


class _Fitting:
    """Which step of shortening and which nodes fit a budget.

    Where it is worth looking, the length of the text says, which is known without writing it; whether it fits, `count`
    alone. What was written and counted once is not again.
    """

    def __init__(self, nodes: Sequence[NodeText], *, budget_tokens: int, count: Count) -> None:
        self.nodes = nodes
        self.budget_tokens, self.count = budget_tokens, count
        self._told: dict[int, list[str]] = {}
        self._said: dict[int, tuple[int, int]] = {}
        self._written: dict[tuple[int, ...], tuple[str, int]] = {}

    def choose(self) -> tuple[int, list[int]]:
        """Return the first step at which all nodes fit, or the last and the nodes that fit then."""
        everything = range(len(self.nodes))
        # What they say without any braces is less than the tree: where that is too much, it is not worth writing.
        guess = bisect_left(range(ONE_EXAMPLE + 1), True, key=self._may_fit)

        def fits(step: int) -> bool:
            return self._may_fit(step) and self._room(everything, step) >= 0

        if not everything or (guess == 0 and fits(0)):
            return 0, list(everything)
        step = _first(1, ONE_EXAMPLE + 1, fits, guess=max(guess, 1))
        return (step, list(everything)) if step <= ONE_EXAMPLE else (ONE_EXAMPLE, self._fill())

    def _may_fit(self, step: int) -> bool:
        """Tell whether what all nodes say at a step is within the budget, without anything around it."""
        return self._count_said(step)[1] <= self.budget_tokens

    def _count_said(self, step: int) -> tuple[int, int]:
        """Return the characters and the tokens of what all nodes say at a step."""
        if step not in self._said:
            said = "".join(self._tell(step))
            self._said[step] = len(said), self.count(said) if said else 0
        return self._said[step]

    def write(self, kept: Sequence[int], step: int) -> str:
        """Return the nodes as `render` writes them."""
        return self._measure(kept, step)[0]

    def _fill(self) -> list[int]:
        """Return the nodes that fit at the last step: as many from the start as fit, then those later ones that still do."""
        step = ONE_EXAMPLE
        chars, tokens = self._count_said(step)
        most_chars = self.budget_tokens * chars / max(tokens, 1)
        sizes = [self.count(told) for told in self._tell(step)]
        alone = [at for at, size in enumerate(sizes) if size <= self.budget_tokens]
        guess = bisect_right(self._lengths(alone, step), most_chars)
        number = _first(0, len(alone), lambda last: self._room(alone[: last + 1], step) < 0, guess=guess)
        kept = alone[:number]
        room = self._room(kept, step)
        for at in alone[number + 1 :]:
            if sizes[at] <= room and (left := self._room([*kept, at], step)) >= 0:
                kept.append(at)
                room = left
        return kept

    def _room(self, kept: Sequence[int], step: int) -> int:
        """Return the tokens that are left beside the nodes `kept`; below 0: they do not fit."""
        return self.budget_tokens - self._measure(kept, step)[1] if kept else max(self.budget_tokens, 0)

    def _measure(self, kept: Sequence[int], step: int) -> tuple[str, int]:
        """Return the nodes as `render` writes them, and the tokens of that."""
        key = (step, *kept)
        if key not in self._written:
            told = self._tell(step)
            text = _write(_nest([(self.nodes[at].keys, told[at]) for at in kept]))
            self._written[key] = text, self.count(text)
        return self._written[key]

    def _lengths(self, order: Sequence[int], step: int) -> list[int]:
        """Return the characters that `write` makes of the first, the first two, ... of the nodes `order`."""
        told, parts, total, found = self._tell(step), {"": 0}, len("{}"), []
        for at in order:
            place = ""
            for key in self.nodes[at].keys:
                above, place = place, place + key
                if place not in parts:
                    parts[place] = 0
                    total += len(key) + len("{}") + (parts[above] > 0)
                    parts[above] += 1
            if told[at]:
                total += len(told[at]) + (parts[place] > 0)
                parts[place] += 1
            found.append(total)
        return found

    def _tell(self, step: int) -> list[str]:
        """Return what each node says at a step."""
        if step not in self._told:
            self._told[step] = [node.tell(step) for node in self.nodes]
        return self._told[step]


def _first(low: int, high: int, holds: Callable[[int], bool], *, guess: int) -> int:
    """Return the least number from `low` to before `high` from which on `holds`, else `high`; near a good guess it asks twice."""
    for at in (guess, guess - 1):
        if low <= at < high:
            low, high = (low, at) if holds(at) else (at + 1, high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _keys_of(path: str) -> list[str]:
    """Return the segments of a path as encoded keys."""
    segments = path.split(".")
    if len(segments) > MOST_SEGMENTS or any(not part or part.startswith("_") for part in segments):
        raise ValueError(f"no path of a node: {path[:80]!r}")
    return [_ENCODER.encode(segment) + ":" for segment in segments]


def _entry(key: str, value: Any) -> str:
    """Return one entry of a payload, encoded."""
    return _SORTING.encode({key: value})[1:-1]


def _head_of(node: Node) -> str:
    """Return type, label and source of a node as encoded entries, those it has."""
    source = (node.get("meta") or {}).get("source")
    told = {"_type": node.get("type"), "_label": node.get("label"), "_source": source}
    return _ENCODER.encode({key: value for key, value in told.items() if value})[1:-1]


def _nest(entries: Sequence[tuple[Sequence[str], str]]) -> Tree:
    """Return nested dictionaries by encoded keys; what a node says stands under the key ""."""
    tree: Tree = {}
    for keys, told in entries:
        place = tree
        for key in keys:
            place = place.setdefault(key, {})
        place[""] = told
    return tree


def _write(tree: Tree) -> str:
    parts = []
    for key, value in tree.items():
        if key == "":
            parts.append(value)
        elif len(value) == 1 and "" in value:
            parts.append(f"{key}{{{value['']}}}")
        else:
            parts.append(key + _write(value))
    return "{" + ",".join([part for part in parts if part]) + "}"
