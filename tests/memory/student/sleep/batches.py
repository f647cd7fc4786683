"""Batches of memories made by hand, and what a model is said to have answered about them."""

import json
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from memory.models import MemoryNode, MemorySource
from memory.student.sleep.consolidation import consolidate
from memory.student.sleep.insights import Consolidation, Item
from tests.factories import NOW
from tests.llm.wire_server import Act, WireServer


def item(text: str, *, sources=None, fixed: bool = False, **given) -> Item:
    """Return one memory, an important one of a message of its own unless said otherwise."""
    said = {"speaker": given.pop("speaker", None), "said_at": given.pop("said_at", NOW)}
    (vector,) = get_embedder().embed([text])
    fields = {
        "language": "en",
        "modality": "semantic",
        "trust": "person",
        "salience": 0.8,
        "confidence": 0.9,
        **given,
    }
    return Item(
        node=MemoryNode(content=text, **fields),
        sources=[MemorySource(source_id=source, **said) for source in sources or (new_id(),)],
        vector=vector,
        fixed=fixed,
    )


def message(*texts: str, position: int = 1, **given) -> list[Item]:
    """Return the memories of one message."""
    source = new_id()
    at = NOW + timedelta(seconds=30 * position)
    return [item(text, sources=(source,), said_at=at, **given) for text in texts]


def think(items: Sequence[Item], context: Sequence[Item] = (), **given) -> Consolidation:
    return consolidate(items, context, embedder=get_embedder(), **given)


def answer(server: WireServer, *insights: dict) -> None:
    """Have the model give these insights."""
    plain = {"category": "background", "confidence": 0.9, "renews": []}
    server.always(Act(text=json.dumps({"insights": [{**plain, **insight} for insight in insights]})))


def places(done: Consolidation) -> list[UUID]:
    """Return every item as often as it stands somewhere; context that is renewed too."""
    members = [member for insight in done.insights for member in insight.members]
    return [*members, *done.kept, *done.let_go, *done.left]
