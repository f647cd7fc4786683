"""A space goes over to another embedding model, and is searched all the while."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest

from companion_site.audit.models import AuditEvent
from companion_site.embeddings.service import get_embedder
from companion_site.errors import SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey, SpaceKey
from companion_site.vault.scope import space_scope
from memory.agents.nodes import upsert_memory
from memory.agents.search import search_memory
from memory.models import AgentVector, MemoryNode, MemoryVector, PackVector
from memory.packs.search import search_packs
from memory.packs.vectors import embed_some
from memory.reembedding import awaits_reembedding
from memory.reembedding import space as crossing
from memory.reembedding.space import Pace, reembed
from memory.student.corrections import correct_memory
from memory.student.recall.ranking import recall
from tests.embeddings.wire import DIMENSION, Act
from tests.factories import NOW
from tests.memory.agents.conftest import make_agent, node
from tests.memory.packs.making import take_in
from tests.memory.reembedding.conftest import NEW, OLD, STRAIGHT, one_batch, remember

SAID = (
    "I play the cello in the school orchestra.",
    "My kitten Pixel is grey.",
    "Chemistry with all its acids is hard for me.",
    "I want to study medicine in Lund.",
    "My brother repairs old bicycles.",
)
LATER = NOW + timedelta(days=1)


@pytest.fixture
def lived(ada, memory) -> list[UUID]:
    """Five memories under the old model."""
    return [found for text in SAID for found in memory.hear(text)]


def models_of(space: UUID, table=MemoryVector) -> dict[str, int]:
    with space_scope(space):
        models = list(table.objects.for_space(space).values_list("model", flat=True))
    return {model: models.count(model) for model in sorted(set(models))}


def gone_over(space: UUID) -> set[UUID]:
    """Return the memories that have a vector of the new model."""
    with space_scope(space):
        rows = MemoryVector.objects.for_space(space).filter(model=NEW)
        return set(rows.values_list("node_id", flat=True))


def awaits(space: UUID) -> bool:
    with space_scope(space):
        return awaits_reembedding(space)


def ask(ada, memory, question: str) -> list[str]:
    embedder = get_embedder()
    (vector,) = embedder.embed([question])
    with unlocked(ada.space, ada.key):
        held = memory.sets.get(ada.space, model=embedder.model, dimension=embedder.dimension)
        return [found.text for found in recall(held, question, vector=vector, embedder=embedder, now=LATER)]


def test_a_space_goes_over_and_the_old_vectors_go_last(ada, memory, lived, change_model):
    """Batch by batch each memory gets a vector of the new model; the old ones stay until all have, and then go."""
    assert not awaits(ada.space)
    change_model()
    assert awaits(ada.space)
    assert not reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
    assert models_of(ada.space) == {OLD: 5, NEW: 2} and awaits(ada.space)
    assert not reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
    assert models_of(ada.space) == {OLD: 5, NEW: 4}
    assert reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {NEW: 5} and not awaits(ada.space)
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        row = MemoryVector.objects.for_space(ada.space).select_related("node").first()
        (vector,) = get_embedder().embed([row.node.content])
        assert row.dimension == len(row.vector) == DIMENSION and np.allclose(row.vector, vector, atol=1e-5)
    events = AuditEvent.objects.filter(chain=ada.space, action="memory.reembedded")
    assert [event.data for event in events] == [{"vectors_dropped": 5}]


@pytest.mark.slow
def test_every_memory_is_found_all_the_way(ada, memory, lived, change_model):
    """Before, in the middle and after: by its words at once, by its meaning once it has its vector; nothing is out of reach."""
    change_model()
    by_meaning = "Which instrument do I make music with?"
    assert ask(ada, memory, by_meaning)[0] != SAID[0]
    for left in (3, 1, 0):
        for text, words in zip(SAID, ("cello", "kitten", "acids", "medicine", "bicycles"), strict=True):
            assert ask(ada, memory, f"What about {words}?")[0] == text
        reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
        assert len(gone_over(ada.space)) == len(SAID) - left
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    held = memory.sets.get(ada.space, model=NEW, dimension=DIMENSION)
    assert held.corpus.known.all()
    assert SAID[0] in ask(ada, memory, by_meaning)


def test_a_copy_in_memory_learns_of_new_vectors(ada, memory, lived, change_model):
    """A working set that was loaded before takes in what another process embedded, and is as one loaded afterwards."""
    change_model()
    held = memory.sets.get(ada.space, model=NEW, dimension=DIMENSION)
    assert len(held) == 5 and not held.corpus.known.any() and not held.corpus.vectors.any()
    reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(3))
    again = memory.sets.get(ada.space, model=NEW, dimension=DIMENSION)
    assert again is held and held.corpus.known.sum() == 3
    lengths = np.linalg.norm(held.corpus.vectors, axis=1)
    assert np.allclose(lengths[held.corpus.known], 1, atol=1e-5) and not lengths[~held.corpus.known].any()
    assert len(held.corpus.lexical) == 5


def test_the_latest_come_first(ada, memory, lived, change_model):
    """What is believed and was said last is asked about most, so it is embedded first."""
    change_model()
    reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
    assert gone_over(ada.space) == set(lived[-2:])


def test_what_is_said_meanwhile_needs_no_second_embedding(ada, memory, lived, change_model, service):
    """A memory that formed in the middle, with the new model's vector, is not embedded again."""
    change_model()
    reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
    said = "I sing in a choir on Mondays."
    remember(ada.space, [said], get_embedder().embed([said]), model=NEW)
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert sorted(service.texts) == sorted([*SAID, said])
    assert models_of(ada.space) == {NEW: 6}


class Killed(BaseException):
    """The process ends here, as by a signal."""


def test_a_kill_costs_one_batch(ada, memory, lived, change_model, service):
    """Killed after any step, the next run goes on where it stopped and embeds no more than what was in the air."""
    change_model()

    def die(seconds: float) -> None:
        assert seconds > 0, "after each batch it rests"
        raise Killed

    for done in (2, 4):
        with pytest.raises(Killed):
            reembed(ada.space, key=ada.key, now=NOW, pace=Pace(seconds=None, batch=2, sleep=die))
        assert models_of(ada.space) == {OLD: 5, NEW: done}
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {NEW: 5}
    assert sorted(service.texts) == sorted(SAID), "each was embedded once"


def test_one_text_that_is_refused_holds_up_no_other(ada, memory, lived, change_model, service):
    """The service takes all but one: that one keeps its words and its old vector, and nothing is dropped."""
    change_model()
    service.refuses = "Pixel"
    assert reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {OLD: 5, NEW: 4} and awaits(ada.space)
    assert ask(ada, memory, "What colour is my kitten?")[0] == SAID[1]
    service.refuses = ""
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {NEW: 5}


def test_a_service_that_takes_nothing_is_not_asked_for_everything(
    ada, memory, lived, change_model, service, monkeypatch
):
    """Where none of the first texts is taken, the others are not tried, now or in a next job; one that is taken goes on."""
    change_model()
    monkeypatch.setattr(crossing, "MOST_REFUSED", 2)
    service.default = Act(status=400)
    assert reembed(ada.space, key=ada.key, now=NOW, pace=replace(STRAIGHT, batch=1))
    assert len(service.requests) == 2
    assert reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(1)), (
        "its time is over, and nothing was taken"
    )
    assert models_of(ada.space) == {OLD: 5} and awaits(ada.space)
    service.default, service.refuses = Act(), "My"
    assert reembed(ada.space, key=ada.key, now=NOW, pace=replace(STRAIGHT, batch=1))
    assert models_of(ada.space) == {NEW: 3, OLD: 5}


def test_what_changed_while_it_was_embedded_is_not_given_the_old_words_vector(
    ada, memory, lived, change_model, monkeypatch
):
    """Words that went meanwhile get no vector."""
    change_model()
    embedder = get_embedder()

    def embed(texts, plain=embedder.embed):
        made = plain(texts)
        with unlocked(ada.space, ada.key), space_scope(ada.space):
            row = MemoryNode.objects.for_space(ada.space).get(pk=lived[1])
            row.content = "My kitten Pixel is black."
            row.save(update_fields=["content"])
        return made

    monkeypatch.setattr(embedder, "embed", embed)
    reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(10))
    assert gone_over(ada.space) == set(lived) - {lived[1]}


def test_history_that_may_come_back_goes_over_too(ada, memory, lived, change_model):
    """A memory that was corrected can be brought back: it has a vector of the new model as well."""
    correct_memory(
        ada.space,
        lived[1],
        text="My kitten Pixel is black.",
        embedder=get_embedder(),
        now=NOW,
        actor=ada.person,
    )
    change_model()
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {NEW: 6}


def test_going_back_in_the_middle_embeds_nothing_twice(ada, memory, lived, change_model, settings):
    """Back to the old model: what still has its vectors needs none, and the other model's go."""
    change_model()
    reembed(ada.space, key=ada.key, now=NOW, pace=one_batch(2))
    settings.EMBEDDINGS_PROVIDER = "bundled"
    assert awaits(ada.space)
    assert reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {OLD: 5} and not awaits(ada.space)


def test_a_locked_space_stays_locked(ada, memory, lived, change_model):
    """Without the space's own key nothing of it is read, and another's opens nothing."""
    change_model()
    with pytest.raises(SpaceLocked):
        reembed(ada.space, key=OpenSpaceKey(UUID(int=1)), now=NOW)
    with pytest.raises(Exception, match="damaged"):
        reembed(ada.space, key=SpaceKey(ada.space, bytes(32)), now=NOW, pace=STRAIGHT)
    assert models_of(ada.space) == {OLD: 5}


def test_a_statement_is_embedded_as_a_sentence_each_time(ada, memory, change_model, service):
    """When it forms, and when its space goes over: with the full stop that it was said without."""
    (node,) = memory.hear("My kitten Pixel is grey")
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        kept = np.asarray(MemoryVector.objects.for_space(ada.space).get(node_id=node).vector)
    assert np.allclose(kept, get_embedder().embed(["My kitten Pixel is grey."])[0], atol=0.01)
    change_model()
    reembed(ada.space, key=ada.key, now=NOW, pace=STRAIGHT)
    assert service.texts == ["My kitten Pixel is grey."]


def test_an_agents_nodes_go_over(ada, change_model):
    """An agent's memory is found by words meanwhile, and by meaning afterwards."""
    agent = make_agent(ada.key)
    upsert_memory(
        agent,
        [
            node("skill.python.raii", says="Tie a resource to an object."),
            node("skill.python.typing", says="Say which types a function takes."),
        ],
        now=NOW,
    )
    change_model()
    assert awaits(agent.space)
    (best, *_) = search_memory(agent, "resource")
    assert best.node["id"] == "skill.python.raii"
    assert not reembed(agent.space, key=agent.key, now=NOW, pace=one_batch(1))
    assert models_of(agent.space, AgentVector) == {OLD: 2, NEW: 1}
    reembed(agent.space, key=agent.key, now=NOW, pace=STRAIGHT)
    assert models_of(agent.space, AgentVector) == {NEW: 2}
    (best, *_) = search_memory(agent, "handles that close by themselves")
    assert best.node["id"] == "skill.python.raii"


def test_a_packs_nodes_go_over(db, change_model):
    """A pack is searched by words and by what has its vector; one that is still coming in embeds itself."""
    pack = take_in(embedder=get_embedder())
    assert not awaits(pack.space_id), "it is not ready yet"
    embed_some(pack.space_id, now=NOW)
    total = models_of(pack.space_id, PackVector)[OLD]
    change_model()
    assert awaits(pack.space_id)
    assert not reembed(pack.space_id, key=OpenSpaceKey(pack.space_id), now=NOW, pace=one_batch(1))
    assert models_of(pack.space_id, PackVector) == {OLD: total, NEW: 1}
    (vector,) = get_embedder().embed(["anything"])
    assert search_packs([pack.space_id], vector=vector, model=NEW, words=["anything"], k=5) is not None
    reembed(pack.space_id, key=OpenSpaceKey(pack.space_id), now=NOW, pace=STRAIGHT)
    assert models_of(pack.space_id, PackVector) == {NEW: total}
