"""The step that looks into the packs that the person has mounted, and the block of the prompt that tells what they hold.

Who has mounted none pays nothing for it. With memory off it does not run: what is mounted is a choice about memory, and without
it the companion knows the conversation and nothing else.

A pack is whoever's words wrote it: never an instruction. Each of its lines begins with a bar, so none can pass for a line of ours, and
whatever would open or close a block is written out. There is a hard limit in tokens: the nodes that bear least go first, whole.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from chat.personalisation.measure import Shows, Statement, find_shown
from chat.personalisation.packs import PACKS
from chat.threads import in_thread
from chat.turn.message import Asked
from chat.turn.steps import Step, Steps
from chat.turn.topics import Vector
from companion_site.embeddings.service import get_embedder
from companion_site.llm.fences import defuse
from companion_site.llm.tokens import count_tokens
from companion_site.shortening import shorten
from memory.packs.relevance import Material, find_material
from memory.packs.signatures import Voucher
from memory.student.workingset import WorkingSet

logger = structlog.get_logger(__name__)

#: a reply does not wait longer for its packs, s
MOST_S = 2.0
#: by this name a reply without its packs is found in the log
PACKS_FAILED = "packs.failed"
OPENING = "<PACK_MATERIAL>"
CLOSING = "</PACK_MATERIAL>"
BAR = "  | "
NAME_CHARS, NODE_CHARS = 120, 1_200
VOUCHED: dict[Voucher, str] = {
    Voucher.NOBODY: ", which nobody has signed",
    Voucher.STRANGER: ", signed by a key that is not known here",
}
_TAG = re.compile(r"<(?=[/!?A-Za-z])")


async def read_packs(
    asked: Asked, steps: Steps, vector: Vector | None, working_set: WorkingSet | None
) -> Sequence[Material]:
    """Return what mounted packs hold on the message; nothing where none is mounted. A fault costs the reply that alone."""
    if vector is None or working_set is None or not working_set.mounts:
        return ()
    find = partial(
        find_material,
        asked.access.space,
        working_set.mounts,
        asked.text,
        vector=vector,
        language=asked.language,
        embedder=get_embedder(),
    )

    async def look(step: Step) -> Sequence[Material]:
        async with asyncio.timeout(MOST_S):
            materials = await in_thread(find)
        step.counts["found"] = len(materials)
        return materials

    return await steps.try_to("packs", look, otherwise=(), logs=PACKS_FAILED)


def with_packs(
    outcome: dict[str, Any] | None, materials: Sequence[Material], *, text: str, asked: str
) -> dict[str, Any] | None:
    """Return what a reply's row keeps, with the nodes of packs that stood in its request and whether the reply shows them.

    It is kept sealed: a pack can be read by others, so which of its nodes came up tells what was spoken of.

    Args:
        text: the reply's words; asked: the message.
    """
    if outcome is None or not materials:
        return outcome
    try:
        statements = [Statement(text=words_of(one), language=one.language) for one in materials]
        shown: Sequence[Shows] = find_shown(text, statements, asked=asked)
    except Exception:  # the reply stands, whatever becomes of what is said about it
        logger.exception("reply.packs_not_measured")
        shown = [Shows.NOT] * len(materials)
    entries = [
        {
            "pack": str(material.pack),
            "node": str(material.node),
            "score": round(material.similarity, 4),
            "drawn": str(shows),
        }
        for material, shows in zip(materials, shown, strict=True)
    ]
    return {**outcome, PACKS: entries}


def fit_packs(materials: Sequence[Material], *, tokens: int) -> list[Material]:
    """Return the first materials whose block fits into `tokens` by estimate."""
    for count in range(len(materials), 0, -1):
        if count_tokens([pack_block(materials[:count])]) <= tokens:
            return [*materials[:count]]
    return []


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
    pack, node = map(_harmless, (material.pack_name, material.label))
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


def _harmless(name: str) -> str:
    return _written_out(shorten(name, NAME_CHARS)).replace("“", '"').replace("”", '"')


def _written_out(text: str) -> str:
    return _TAG.sub("&lt;", defuse(text))
