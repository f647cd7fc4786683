"""The step that looks into the packs that the person has mounted. Who has mounted none pays nothing for it.

With memory off it does not run: what is mounted is a choice about memory, and without it the companion knows the
conversation and nothing else.
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog

from chat.pack_block import words_of
from chat.personalisation.attribution import Shows, Statement, find_shown
from chat.personalisation.packs import PACKS
from chat.planning.topics import Vector
from chat.threads import in_thread
from chat.turn.message import Asked
from chat.turn.recall import Vectors
from chat.turn.steps import Step, Steps
from companion_site.embeddings.service import get_embedder
from companion_site.language import as_language
from memory.packs.relevance import Material, find_material
from memory.student.workingset import WorkingSet

logger = structlog.get_logger(__name__)

#: a reply does not wait longer for its packs, s
MOST_S = 2.0
#: by this name a reply without its packs is found in the log
PACKS_FAILED = "packs.failed"


async def read_packs(
    asked: Asked,
    steps: Steps,
    vector: Awaitable[Vector | None],
    opened: Awaitable[WorkingSet | None],
) -> Sequence[Material]:
    """Return what mounted packs hold on the message; nothing where none is mounted. A fault costs the reply that alone."""
    found, working_set = await vector, await opened
    if found is None or working_set is None or not working_set.mounts:
        return ()
    find = partial(
        find_material,
        asked.access.space,
        working_set.mounts,
        asked.text,
        vector=found,
        language=as_language(asked.message.language),
        embedder=get_embedder(),
    )

    async def look(step: Step) -> Sequence[Material]:
        async with asyncio.timeout(MOST_S):
            materials = await in_thread(find)
        step.counts["found"] = len(materials)
        return materials

    return await steps.try_to("packs", look, otherwise=(), logs=PACKS_FAILED)


def vectors_of_packs(materials: Sequence[Material]) -> Vectors:
    """Return (d,) of each node by its words, so that topics to avoid are found by meaning too."""
    return {words_of(material): material.vector for material in materials}


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
    return {**outcome, PACKS: _entries(materials, text=text, asked=asked)}


def _entries(materials: Sequence[Material], *, text: str, asked: str) -> list[Mapping[str, Any]]:
    try:
        statements = [Statement(text=words_of(one), language=one.language) for one in materials]
        shown: Sequence[Shows] = find_shown(text, statements, asked=asked)
    except Exception:  # the reply stands, whatever becomes of what is said about it
        logger.exception("reply.packs_not_measured")
        shown = [Shows.NOT] * len(materials)
    return [
        {
            "pack": str(material.pack),
            "node": str(material.node),
            "score": round(material.similarity, 4),
            "drawn": str(shows),
        }
        for material, shows in zip(materials, shown, strict=True)
    ]
