"""What mounted packs hold on a message, as a block of a prompt: marked as theirs, delimited, and never an instruction.

A pack is whoever's words wrote it. Each of its lines begins with a bar, so none can pass for a line of ours, and whatever
would open or close a block is written out. There is a hard limit in tokens: the nodes that bear least go first, whole.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion_site.llm.fences import defuse
from companion_site.llm.tokens import count_tokens
from companion_site.shortening import shorten
from memory.packs.relevance import Material
from memory.packs.signatures import Voucher

OPENING = "<PACK_MATERIAL>"
CLOSING = "</PACK_MATERIAL>"
BAR = "  | "
NAME_CHARS, NODE_CHARS = 120, 1_200
VOUCHED: dict[Voucher, str] = {
    Voucher.NOBODY: ", which nobody has signed",
    Voucher.STRANGER: ", signed by a key that is not known here",
}
_TAG = re.compile(r"<(?=[/!?A-Za-z])")


@dataclass(frozen=True)
class WrittenPacks:
    """A block, and what stands in it."""

    text: str = ""
    materials: Sequence[Material] = ()


def write_packs(materials: Sequence[Material], *, tokens: int) -> WrittenPacks:
    """Return the block of the first materials that fit into `tokens` by estimate."""
    for count in range(len(materials), 0, -1):
        text = pack_block(materials[:count])
        if count_tokens([text]) <= tokens:
            return WrittenPacks(text, materials[:count])
    return WrittenPacks()


def pack_block(materials: Sequence[Material]) -> str:
    """Return the whole block, best first; an empty string where there is nothing."""
    if not materials:
        return ""
    return "\n".join([OPENING, "\n\n".join(_entry(material) for material in materials), CLOSING])


def veil_packs(materials: Sequence[Material], veil: Callable[[str], str]) -> list[Material]:
    """Return the same with every text gone over, for what the student has not met yet."""
    return [
        replace(
            material,
            pack_name=veil(material.pack_name),
            label=veil(material.label),
            parts=[replace(part, text=veil(part.text)) for part in material.parts],
        )
        for material in materials
    ]


def words_of(material: Material) -> str:
    """Return all words of a node, its label first."""
    return "\n".join([material.label, *(part.text for part in material.parts)])


def in_short(material: Material) -> str:
    """Return a node in a sentence or two: its label, and what its first part says."""
    return ": ".join([material.label, *(part.text for part in material.parts[:1])])


def _entry(material: Material) -> str:
    pack, node = (_harmless(name, NAME_CHARS) for name in (material.pack_name, material.label))
    heading = f"From the pack “{pack}”{VOUCHED.get(material.voucher, '')}, node “{node}”:"
    return "\n".join([heading, *(BAR + line for line in _lines(material))])


def _lines(material: Material) -> list[str]:
    """Return the payload in lines: prose each on one, code as it stands, all of it up to a length."""
    lines = []
    for part in material.parts:
        head = "" if part.name == "definition" else f"{part.name}: "
        if part.is_prose:
            lines.append(head + " ".join(part.text.split()))
        else:
            lines += [head.rstrip(), *part.text.splitlines()]
    room, kept = NODE_CHARS, []
    for line in lines:
        whole = line if line[:1].isspace() else shorten(line, NODE_CHARS)
        kept.append(_written_out(whole[:room]))
        room -= len(whole) + 1
        if room <= 0:
            break
    return kept


def _harmless(name: str, most: int) -> str:
    return _written_out(shorten(name, most)).replace("“", '"').replace("”", '"')


def _written_out(text: str) -> str:
    return _TAG.sub("&lt;", defuse(text))
