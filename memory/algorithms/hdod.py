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


def materialise(nodes: Sequence[Node], *, budget_tokens: int, count: Count) -> tuple[Tree, list[str]]:
    """Return the nodes as nested dictionaries whose `render` costs `budget_tokens` at the most, and whose paths are kept.

    Args:
        nodes: wire nodes, best first: "id" (a path), "type", "label", "payload", "meta". A path that comes twice
            counts where it came first.
        budget_tokens: what `count` may say of the rendered tree; where nothing fits the tree is empty.
        count: tokens of a text; more text is never fewer tokens.

    Raises:
        ValueError: a path has an empty segment, one that begins with "_", or more of them than any store allows; or
            a payload is not JSON.
    """
    first: dict[str, Node] = {}
    for node in nodes:
        first.setdefault(node["id"], node)
    fitting = _Fitting(list(first.values()), budget_tokens=budget_tokens, count=count)
    step, kept = fitting.choose()
    paths = list(first)
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


class _Fitting:
    """Which step of shortening and which nodes fit a budget.

    Where it is worth looking, the length of the text says, which is known without writing it; whether it fits, `count`
    alone. A node is encoded once for each step looked at.
    """

    def __init__(self, nodes: Sequence[Node], *, budget_tokens: int, count: Count) -> None:
        self.payloads = [node.get("payload") or {} for node in nodes]
        self.budget_tokens, self.count = budget_tokens, count
        self._keys = [_keys_of(node["id"]) for node in nodes]
        self._heads = [_head_of(node) for node in nodes]
        self._told: dict[int, list[str]] = {}

    def choose(self) -> tuple[int, list[int]]:
        """Return the first step at which all nodes fit, or the last and the nodes that fit then."""
        everything = range(len(self.payloads))
        whole = self.write(everything, 0)
        tokens = self.count(whole) if everything else 0
        if tokens <= max(self.budget_tokens, 0):
            return 0, list(everything)
        most_chars = self.budget_tokens * len(whole) / tokens
        nested = len(whole) - _length(self._tell(0))
        guess = bisect_left(
            range(ONE_EXAMPLE), True, key=lambda step: nested + _length(self._tell(step)) <= most_chars
        )
        step = _first(1, ONE_EXAMPLE + 1, lambda step: self._room(everything, step) >= 0, guess=guess)
        return (step, list(everything)) if step <= ONE_EXAMPLE else (ONE_EXAMPLE, self._fill(most_chars))

    def write(self, kept: Sequence[int], step: int) -> str:
        """Return the nodes as `render` writes them."""
        told = self._tell(step)
        return _write(_nest([(self._keys[at], told[at]) for at in kept]))

    def _fill(self, most_chars: float) -> list[int]:
        """Return the nodes that fit at the last step: as many from the start as fit, then those later ones that still do."""
        step = ONE_EXAMPLE
        sizes = [self.count(told) for told in self._tell(step)]
        alone = [at for at, size in enumerate(sizes) if size <= self.budget_tokens]
        guess = bisect_right(self._lengths(alone, step), most_chars)
        number = _first(0, len(alone), lambda last: self._room(alone[: last + 1], step) < 0, guess=guess)
        kept = alone[:number]
        room = self._room(kept, step)
        for at in alone[number + 1 :]:
            if sizes[at] <= room and self._room([*kept, at], step) >= 0:
                kept.append(at)
                room = self._room(kept, step)
        return kept

    def _room(self, kept: Sequence[int], step: int) -> int:
        """Return the tokens that are left beside the nodes `kept`; below 0: they do not fit."""
        return self.budget_tokens - self.count(self.write(kept, step)) if kept else max(self.budget_tokens, 0)

    def _lengths(self, order: Sequence[int], step: int) -> list[int]:
        """Return the characters that `write` makes of the first, the first two, ... of the nodes `order`."""
        told, parts, total, found = self._tell(step), {"": 0}, len("{}"), []
        for at in order:
            place = ""
            for key in self._keys[at]:
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
        """Return what each node says at a step, encoded, without the braces around it."""
        if step not in self._told:
            self._told[step] = [self._say(at, step) for at in range(len(self.payloads))]
        return self._told[step]

    def _say(self, at: int, step: int) -> str:
        payload = self.payloads[at]
        left = shorten(payload, step)
        if step and left == payload:
            return self._tell(0)[at]
        parts = [self._heads[at], '"_payload":' + _SORTING.encode(left) if left else ""]
        return ",".join([part for part in parts if part])


def _first(low: int, high: int, holds: Callable[[int], bool], *, guess: int) -> int:
    """Return the least number from `low` to before `high` from which on `holds`, else `high`; near a good guess it asks twice."""
    for at in (guess, guess - 1):
        if low <= at < high:
            low, high = (low, at) if holds(at) else (at + 1, high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _length(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _keys_of(path: str) -> list[str]:
    """Return the segments of a path as encoded keys."""
    segments = path.split(".")
    if len(segments) > MOST_SEGMENTS or any(not part or part.startswith("_") for part in segments):
        raise ValueError(f"no path of a node: {path[:80]!r}")
    return [_ENCODER.encode(segment) + ":" for segment in segments]


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
    parts = [value if key == "" else key + _write(value) for key, value in tree.items()]
    return "{" + ",".join([part for part in parts if part]) + "}"
