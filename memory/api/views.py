"""A student's memory over the REST API: parse, authorise, call a service, tell."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from companion_site.accounts.tokens import Scope
from companion_site.api.operations import Asked, Endpoints, Made, opening
from companion_site.api.paging import Page, page_of_data, page_of_rows
from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.vault.scope import space_scope
from memory.api import forms
from memory.models import MemoryChange
from memory.student import corrections, undo
from memory.student.pages.access import MemoryAccess, memory_access
from memory.student.pages.one_memory import present_memory
from memory.student.pages.picture import Picture, current_set, draw_picture, is_held, is_of_kind
from memory.student.pages.selectors import fill_in, load_shapes
from memory.student.recall.retrieval import RetrievalOptions, retrieve

MEMORY = "memories/<uuid:memory_id>"
memory = Endpoints(scope=Scope.MEMORY_READ, opens=opening(memory_access))


@memory.get("memories", "List memories", query=forms.MemoryQuery, pages=forms.MemoryOut)
def list_memories(asked: Asked, access: MemoryAccess) -> Page:
    """Return memories with their words and sources, the last formed first."""
    filtered = forms.as_filter(asked.given)
    shapes = load_shapes(access.space, Q(), now=timezone.now())
    wanted = [shape for shape in shapes if is_of_kind(shape, filtered) and is_held(shape, filtered)]
    page = page_of_data(wanted, asked.given, id_of=forms.id_of)
    return Page(fill_in(access.space, page.items), page.next)


@memory.post(
    "memories/search", "Search memories by a question", body=forms.LookUpBody, answer=forms.FoundListOut
)
def search_memories(asked: Asked, access: MemoryAccess) -> dict[str, Any]:
    """Return what a question calls to mind, the most relevant first. Nothing is changed by it."""
    options = RetrievalOptions(**asked.given)
    embedder = get_embedder()
    found = retrieve(
        current_set(access.space),
        options,
        embedder=embedder,
        vector=embed_question_with(embedder, options.question) if options.question else None,
        own_name=access.person.display_name,
        now=timezone.now(),
    )
    return {"items": found}


@memory.get(MEMORY, "Show a memory", answer=forms.OneMemoryOut)
def show_memory(asked: Asked, access: MemoryAccess, memory_id: UUID) -> dict[str, Any]:
    """Return one memory with its sources, what it replaced and what it hangs together with."""
    return present_memory(access.space, memory_id, now=timezone.now())


@memory.delete(MEMORY, "Forget a memory", answer=forms.ChangeOut, refuses=[409], scope=Scope.MEMORY_WRITE)
def forget_memory(asked: Asked, access: MemoryAccess, memory_id: UUID) -> MemoryChange:
    """Forget a memory. The change that is answered can be undone for some days."""
    return corrections.forget_memory(access.space, memory_id, now=timezone.now(), actor=access.person)


@memory.post(
    f"{MEMORY}/corrections",
    "Put a memory right",
    body=forms.CorrectionBody,
    answer=forms.OneMemoryOut,
    status=201,
    repeats="known",
    scope=Scope.MEMORY_WRITE,
)
def correct_memory(asked: Asked, access: MemoryAccess, memory_id: UUID) -> Made:
    """Put other words in a memory's place; return the memory that holds now. The old words are kept as history."""
    newer = corrections.correct_memory(
        access.space,
        memory_id,
        text=asked.given["text"],
        embedder=get_embedder(),
        now=timezone.now(),
        actor=access.person,
    )
    return Made(present_memory(access.space, newer, now=timezone.now()), "show_memory", (newer,))


@memory.get("memories/changes", "List changes", query=forms.ChangeQuery, pages=forms.ChangeOut)
def list_changes(asked: Asked, access: MemoryAccess) -> Page:
    """Return what changed in the memory, by itself or by hand, the latest first."""
    with space_scope(access.space):
        rows = MemoryChange.objects.for_space(access.space).defer("before")
        if "kind" in asked.given:
            rows = rows.filter(kind=asked.given["kind"])
        if "undone" in asked.given:
            rows = rows.filter(undone_at__isnull=not asked.given["undone"])
        return page_of_rows(rows, asked.given)


@memory.post(
    "memories/changes/<uuid:change_id>/undo",
    "Undo a change",
    answer=forms.ChangeOut,
    repeats="whole",
    scope=Scope.MEMORY_WRITE,
)
def undo_change(asked: Asked, access: MemoryAccess, change_id: UUID) -> MemoryChange:
    """Undo one change, whatever made it. Twice is once."""
    return undo.undo_change(access.space, change_id, now=timezone.now(), actor=access.person)


@memory.get("memories/graph", "Show the graph", query=forms.GraphQuery, answer=forms.GraphOut)
def show_graph(asked: Asked, access: MemoryAccess) -> dict[str, Any]:
    """Return memories and edges with their places in the picture."""
    return _graph(draw_picture(access.space, forms.as_filter(asked.given), now=timezone.now()))


def _graph(picture: Picture) -> dict[str, object]:
    """Return what of a picture is asked for: what only a time slider would bring up stays out."""
    seen = [dot.seen for dot in picture.dots]
    ids = [dot.memory.id for dot in picture.dots]
    return {
        "nodes": [dot for dot in picture.dots if dot.seen],
        "edges": [
            {
                "source": ids[line.first],
                "target": ids[line.second],
                "category": line.category,
                "weight": line.weight,
            }
            for line in picture.lines
            if seen[line.first] and seen[line.second]
        ],
        "total": picture.total,
    }
