"""How a thing said becomes memories: what is thought out, before `memory.student.ingest.store` writes it in one short transaction.

Memories form from what the person said, never from what was recalled into a prompt or said by a model: the text
given here is the person's own words and nothing else, so nothing can feed on itself.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.conf import settings

from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_sentence, find_names, sanitise, stem_words, word_information, words
from memory.algorithms.dates import DateRange, are_apart, find_ranges
from memory.algorithms.difference import differ_in_value
from memory.algorithms.edges import (
    LINKS,
    Edge,
    abstract,
    leans_back,
    link_abstract,
    link_neighbours,
    link_statements,
)
from memory.algorithms.snr import SNR, fit_band, novelty, passes
from memory.models import MemoryNode
from memory.params import FORMATION
from memory.reading.budget import Allowance
from memory.reading.entities import Mention, find_mentions
from memory.reading.params import READING
from memory.reading.requests import find_request, is_no_more_than_a_value
from memory.reading.service import (
    Danger,
    ReadOnce,
    danger_chances,
    find_danger,
    find_parts_of_danger,
    get_heads,
)
from memory.reading.statements import Statement, find_gaps, find_statements, keep_whole, measure
from memory.reading.words import table
from memory.student.contradictions import AT_ONCE, Found, find_contradictions
from memory.student.ledger_promotion import Promotion, find_promotions
from memory.student.life.facts.extraction import Told, read_life_facts
from memory.student.life.facts.store import are_own_words
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet


@dataclass(frozen=True, kw_only=True)
class Said:
    """What formation reads: the words, and where and when they were said."""

    text: str
    language: str
    said_at: datetime
    source_kind: str
    source_id: UUID
    trust: str = MemoryNode.Trust.PERSON
    conversation_id: UUID | None = None
    position: int = 0
    speaker: str | None = None


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a message will become, thought out before any row is written."""

    said: Said
    snr: float
    statements: Sequence[Statement] = ()
    vectors: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    model: str = ""
    #: among the statements; index `len(statements) - 1` may be the abstract parent
    edges: Sequence[Edge] = ()
    #: from a statement's index to an existing memory
    neighbour_edges: Sequence[tuple[int, UUID, str, float]] = ()
    #: the last statement stands for the whole message
    has_parent: bool = False
    #: numbers of the statements that speak of danger
    of_danger: Collection[int] = frozenset()
    #: characters at the end of the message that nobody had the time to read; they are one statement
    unread: int = 0
    contradictions: Sequence[Found] = ()
    promotions: Sequence[Promotion] = ()
    #: of each statement, whom and what it names; () of those that speak of danger
    mentions: Sequence[Sequence[Mention]] = ()
    #: of each statement, what it tells of the person's life; () where somebody else spoke
    facts: Sequence[Sequence[Told]] = ()
    #: of a message that says nothing new, what it tells of the person's life if a memory says it in the same words
    repeated: Sequence[Told] = ()

    @property
    def own_statements(self) -> Sequence[Statement]:
        """The statements without the parent."""
        return self.statements[:-1] if self.has_parent else self.statements


def draft_memories(
    said: Said,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
    allowance: Allowance | None = None,
) -> Draft:
    """Think out what `said` leaves behind; embeds, so never inside a transaction.

    Args:
        allowance: once it is spent, what was read so far is kept and the rest of the message stored whole; it is not compared
            with what is known, and nothing is read of a life in it. What belongs into the ledger is looked for all the same.
    """
    allowance = allowance or Allowance(settings.FORMING_CPU_S)
    embedder, text = ReadOnce(embedder), sanitise(said.text)
    # A request is read as a sentence: without its full stop "no wait, it is on Friday" hardly puts anything right.
    whole, sentence = embedder.embed([text, as_sentence(text)])
    is_talk = said.trust == MemoryNode.Trust.PERSON
    just_said = _said_just_before(said, working_set)
    before = [node.text or "" for node in just_said]
    request = find_request(text, vector=sentence, embedder=embedder, before=before) if is_talk else None
    is_value = request == "correct" and is_no_more_than_a_value(text, before)
    danger = find_danger(text, vector=whole, embedder=embedder)
    own = []
    # What is to be forgotten is not told by asking for it; what is to be remembered is, whatever it says, and what puts something right says
    # little by itself: "No wait, it is on Friday."
    if request != "forget_this":
        own = find_statements(
            text,
            language=said.language,  # type: ignore[arg-type]  # a column of languages
            embedder=embedder,
            limit=FORMATION.statements,
            is_talk=is_talk and not (request == "remember_this" or is_value),
            allowance=allowance,
            params=replace(READING, keep=READING.keep_of_correction) if request == "correct" else READING,
        )
        if allowance.unread_from is not None:
            own.append(keep_whole(text, allowance.unread_from, embedder=embedder))
    newness = measure_novelty(text, whole, working_set=working_set, embedder=embedder)
    snr = fit_band(measure(text, language=said.language, novelty=newness), kept=bool(own))  # type: ignore[arg-type]  # a column of languages
    rounds = passes(snr)
    promotions: list[Promotion] = []
    if said.speaker is None:  # what somebody else than the person or a teacher said is no entry
        promotions = find_promotions(
            text,
            own,
            language=said.language,  # type: ignore[arg-type]  # a column of languages
            rounds=rounds,
            danger=danger,
            embedder=embedder,
            trust=said.trust,
        )
    if not own:
        repeated: list[list[Told]] = []
        if not allowance.is_spent:
            dangers = danger_chances([text], whole[None], get_heads(embedder)).tolist()
            repeated = _read_life_facts(said, [text], whole[None], dangers, embedder)
        return Draft(said=said, snr=snr, promotions=promotions, repeated=repeated[0] if repeated else ())
    has_parent = rounds >= 3 and len(own) > 1
    statements = [*own, _parent(text, own, said.language)] if has_parent else own
    draft = Draft(said=said, snr=snr, statements=statements, has_parent=has_parent, promotions=promotions)
    draft = _place(draft, danger, embedder)
    if allowance.unread_from is not None:
        draft = replace(draft, unread=len(text) - allowance.unread_from)
    if allowance.is_spent:
        return draft
    draft = _compared(draft, working_set, embedder, corrects=request == "correct", before=just_said)
    return _linked(draft, working_set, embedder) if rounds >= 2 else draft


def draft_statements(
    said: Said,
    statements: Sequence[Statement],
    *,
    working_set: WorkingSet,
    embedder: Embedder,
) -> Draft:
    """Think out what becomes of statements that somebody else than the reader's heads found in `said`; linked to what is near."""
    embedder = ReadOnce(embedder)
    danger = find_danger(sanitise(said.text), embedder=embedder)
    draft = _place(Draft(said=said, snr=0.0, statements=statements), danger, embedder)
    return _linked(_compared(draft, working_set, embedder), working_set, embedder)


def _place(draft: Draft, danger: Danger | None, embedder: Embedder) -> Draft:
    """Return a draft with its statements' vectors, and which of them speak of danger."""
    texts = [statement.text for statement in draft.statements]
    vectors = embedder.embed([as_sentence(text) for text in texts])
    of_danger = find_parts_of_danger(danger, [statement.danger for statement in draft.statements])
    return replace(draft, vectors=vectors, model=embedder.model, of_danger=of_danger)


def _compared(
    draft: Draft,
    working_set: WorkingSet,
    embedder: Embedder,
    *,
    corrects: bool = False,
    before: Sequence[NodeData] = (),
) -> Draft:
    """Return a draft with what it contradicts and what it tells of the person's life.

    Args:
        corrects: the message puts something right.
        before: what the same person said just before it.
    """
    own, said = draft.own_statements, draft.said
    texts, vectors = [one.text for one in own], draft.vectors[: len(own)]
    mentions = find_mentions(texts, vectors, embedder=embedder, known=working_set.names)
    return replace(
        draft,
        # Nobody is known by a memory of danger.
        mentions=[[] if number in draft.of_danger else each for number, each in enumerate(mentions)],
        contradictions=find_contradictions(
            own,
            vectors,
            working_set=working_set,
            embedder=embedder,
            language=said.language,
            speaker=said.speaker,
            corrects=corrects,
            before=before,
            of_danger=frozenset(draft.of_danger),
        ),
        facts=_read_life_facts(said, texts, vectors, [one.danger for one in own], embedder),
    )


def _said_just_before(said: Said, working_set: WorkingSet) -> list[NodeData]:
    """Return the memories of the same person's message before this one in its conversation, where that was said just now."""
    if said.conversation_id is None:
        return []
    since = (said.said_at - AT_ONCE).timestamp()
    with working_set.lock:
        recent = working_set.corpus.alive & ~working_set.of_danger & (working_set.said_at >= since)
        held = [working_set.nodes[row] for row in np.flatnonzero(recent)]
    here = [
        (node.source.position, node)
        for node in held
        if node.formed_at >= since
        and node.source is not None
        and node.source.conversation == said.conversation_id
        and node.source.speaker == said.speaker
        and node.source.position < said.position
    ]
    last = max((position for position, _ in here), default=0)
    return [node for position, node in here if position == last]


def _read_life_facts(
    said: Said, texts: Sequence[str], vectors: np.ndarray, dangers: Sequence[float], embedder: Embedder
) -> list[list[Told]]:
    """Return what each text tells of the person's life; nothing where somebody else than the person spoke."""
    if not are_own_words(trust=said.trust, source_kind=said.source_kind, speaker=said.speaker):
        return []
    return read_life_facts(
        texts, vectors, dangers, language=said.language, said_at=said.said_at, embedder=embedder
    )


def _parent(text: str, statements: Sequence[Statement], language: str) -> Statement:
    """Return the statement that stands for the whole message in the third pass."""
    texts = [statement.text for statement in statements]
    information = [float(np.sum(word_information(words(part), language))) for part in texts]  # type: ignore[arg-type]  # a column of languages
    return Statement(
        text=abstract(texts, np.array(information)),
        start=0,
        end=len(text),
        modality="episodic",
        valence=float(np.mean([statement.valence for statement in statements])),
        confidence=min(statement.confidence for statement in statements),
        salience=max(statement.salience for statement in statements),
        danger=max(statement.danger for statement in statements),
    )


def _linked(draft: Draft, working_set: WorkingSet, embedder: Embedder) -> Draft:
    own = draft.own_statements
    vectors = draft.vectors[: len(own)]
    texts = [statement.text for statement in own]
    among = embedder.calibration.similarity(vectors @ vectors.T)
    topics = [find_topics(text, draft.said.language) for text in texts]
    edges = link_statements(
        # An event or a feeling only where the reader is sure of it.
        [one.modality if one.is_sure else "semantic" for one in own],
        texts,
        among,
        tied=_tied_within(draft, topics),
        gaps=find_gaps(own, message=sanitise(draft.said.text)),
        valences=np.array([statement.valence for statement in own]),
    )
    if draft.has_parent:
        edges += [Edge(len(own), edge.target, edge.kind, edge.weight) for edge in link_abstract(len(own))]
    neighbours = _neighbour_edges(draft, topics, working_set, embedder)
    return replace(draft, edges=edges, neighbour_edges=neighbours)


def find_topics(text: str, language: str) -> frozenset[str]:
    """Return the stems of the words that say what a statement is about: those of much information."""
    said = words(text)
    told = zip(said, word_information(said, language), strict=True)  # type: ignore[arg-type]  # a column of languages
    telling = [word for word, bits in told if bits >= LINKS.telling_bits]
    return frozenset(stem_words(telling, language))  # type: ignore[arg-type]  # a column of languages


def _tied_within(draft: Draft, topics: Sequence[frozenset[str]]) -> np.ndarray:
    """Return (n, n) whether two statements share what they are about or whom they mention, or the later leans on the one before it."""
    texts = [statement.text for statement in draft.own_statements]
    spoken = [
        frozenset(told.casefold() for one in each for told in (one.name, one.relation) if told)
        for each in draft.mentions
    ]
    tied = np.array(
        [
            [bool(topics[i] & topics[j] or spoken[i] & spoken[j]) for j in range(len(texts))]
            for i in range(len(texts))
        ]
    )
    for after in range(1, len(texts)):
        named = [one.start for one in draft.mentions[after]]
        tied[after - 1, after] |= leans_back(texts[after], pronouns=table("others"), named=named)
    return tied


def _neighbour_edges(
    draft: Draft,
    topics: Sequence[frozenset[str]],
    working_set: WorkingSet,
    embedder: Embedder,
) -> list[tuple[int, UUID, str, float]]:
    own, vectors = draft.own_statements, draft.vectors[: len(draft.own_statements)]
    if not len(working_set):
        return []
    corpus = working_set.corpus
    similarities = embedder.calibration.similarity(vectors @ corpus.vectors.T)
    similarities = np.where(corpus.alive[None, :], similarities, 0.0)
    nearest = np.unique(np.argsort(-similarities, axis=1, kind="stable")[:, : FORMATION.neighbours])
    rows = [int(row) for row in nearest if corpus.alive[row]]
    held = [working_set.nodes[row] for row in rows]
    about = [find_topics(one.text or "", one.language) for one in held]
    days = [find_ranges(statement.text, now=draft.said.said_at) for statement in own]
    past = [_days_of(one, like=draft.said.said_at) for one in held]
    found = link_neighbours(
        similarities[:, rows],
        tied=np.array(
            [
                [bool(topics[i] & about[j]) and not are_apart(days[i], past[j]) for j in range(len(rows))]
                for i in range(len(own))
            ]
        ),
        names=[frozenset(find_names(statement.text)) for statement in own],
        neighbour_names=[frozenset(find_names(one.text or "")) for one in held],
        texts=[statement.text for statement in own],
    )
    return [(edge.source, working_set.nodes[rows[edge.target]].id, edge.kind, edge.weight) for edge in found]


def _days_of(node: NodeData, *, like: datetime) -> tuple[DateRange, ...]:
    """Return the days that a held memory tells of, in the time zone of another moment."""
    if node.source is None:
        return ()
    said_at = datetime.fromtimestamp(node.source.said_at, tz=like.tzinfo)
    return find_ranges(node.text or "", now=said_at)


def measure_novelty(
    text: str,
    vector: np.ndarray,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
) -> float:
    """Return how new a message is here, 0 to 1; one that changes a value is never a mere repetition.

    Args:
        vector: (d,) of the whole message, unit length.
    """
    corpus = working_set.corpus
    alike = embedder.calibration.similarity(np.where(corpus.alive, corpus.vectors @ vector, -1.0))
    near = np.flatnonzero(alike > SNR.differing_similarity)
    nearest = float(np.clip(np.max(np.delete(alike, near), initial=0.0), 0.0, 1.0))
    # None says the same behind so many that do not.
    for row in near[np.argsort(-alike[near], kind="stable")][: FORMATION.compared]:
        if alike[row] <= nearest:
            break
        statement, similarity = _likest_statement(int(row), vector, float(alike[row]), working_set, embedder)
        if similarity > SNR.differing_similarity and differ_in_value(text, statement):
            similarity = SNR.differing_similarity
        nearest = max(nearest, min(similarity, 1.0))
    return novelty(nearest)


def _likest_statement(
    row: int, vector: np.ndarray, similarity: float, working_set: WorkingSet, embedder: Embedder
) -> tuple[str, float]:
    node = working_set.nodes[row]
    statements = (node.text or "").splitlines() or [""]
    if not node.derived:
        return node.text or "", similarity
    vectors = working_set.statement_vectors.get(node.id)
    if vectors is None:
        vectors = working_set.statement_vectors[node.id] = embedder.embed(statements)
    cosines = vectors @ vector
    at = int(np.argmax(cosines))
    return statements[at], float(embedder.calibration.similarity(cosines[at : at + 1])[0])
