"""How an answer is judged: by the name in any of its forms or nearly spelled so, or by how near an explanation comes to the description."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chat.quiz.items import QUIZ, Item, find_named, terms_of
from companion_site.embeddings.service import get_embedder
from companion_site.language import fold_words
from companion_site.llm.types import Verdict
from memory.algorithms.isotropy import unit_rows
from memory.reading.service import get_heads

Floats = NDArray[np.float32]
#: what an answer may open with before it says anything, and a guess as a question
_OPENS = re.compile(
    r"^(?:(?:i think|i guess|maybe|perhaps|jag tror|jag gissar|kanske)(?: that| att)?\s+)?"
    r"(?:(?:is|could) (?:it|that)(?: be)?|it'?s(?: called)?|it is(?: called)?|that'?s|that is|är det|kan det vara|det är|det heter|det kallas|den heter)?"
    r"\s*(?:(?:a|an|the|en|ett|den|det)\s+)?"
)
_ENDS = " \t\n.,;:!?…\"'()“”"
#: letters from which one of them may be wrong, and two
ONE_WRONG_FROM, TWO_WRONG_FROM = 5, 9
MOST_LETTERS = 60
#: vectors of descriptions of maps and packs that a process keeps: they are nobody's own
MOST_KEPT = 2_000
_kept: OrderedDict[tuple[str, str], Floats] = OrderedDict()
_guard = Lock()


def bare_answer(text: str) -> str:
    """Return an answer as names are compared with it: folded, without what it opens and ends with."""
    folded = fold_words(text.replace("\u2019", "'")).strip(_ENDS)
    return _OPENS.sub("", folded, count=1) or folded


def judge_name(text: str, item: Item, others: Sequence[Item]) -> Verdict:
    """Return how an answer is that was asked for a name; a part of it that nothing else has in its name is nearly right."""
    rest = item.without_names(text)
    is_short = len(text.split()) <= QUIZ.most_words
    named = not is_short or bool(find_named(rest, others))
    if rest != text:
        return "nearly" if named else "right"
    said = bare_answer(text)
    if named or len(said) > MOST_LETTERS:
        return "wrong"
    if any(is_slip(said, fold_words(name)) for name in item.bare_names):
        return "right"
    own = terms_of(item.names) - {term for other in others for term in terms_of(other.names)}
    return "nearly" if terms_of([said]) & own else "wrong"


def is_slip(said: str, name: str) -> bool:
    """Tell whether what was said is a name but for a letter, or of a long one two."""
    allowed = 0 if len(name) < ONE_WRONG_FROM else 1 if len(name) < TWO_WRONG_FROM else 2
    return abs(len(said) - len(name)) <= allowed and count_edits(said, name) <= allowed


def count_edits(first: str, second: str) -> int:
    """Return how many letters are to be put in, left out, changed or exchanged with the next to make one word of the other."""
    older: list[int] = []
    before = list(range(len(second) + 1))
    for row, letter in enumerate(first, 1):
        now = [row]
        for column, other in enumerate(second, 1):
            edits = min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                edits = min(edits, older[column - 2] + 1)
            now.append(edits)
        older, before = before, now
    return before[-1]


def judge_explanation(text: str, item: Item, others: Sequence[Item]) -> Verdict:
    """Return how an explanation is: by its similarity to the description, beside that to the other descriptions.

    To say the name again explains nothing. Embeds, so never inside a transaction.

    Raises:
        EmbeddingError: the embedder cannot be asked.
    """
    said = item.without_names(text)
    if len(bare_answer(said).split()) < 2:
        return "wrong"
    near = measure_nearness(said, [item, *others])
    apart = float(near[0] - near[1:].max(initial=-1.0))
    if near[0] >= QUIZ.right and apart >= -QUIZ.right_apart:
        return "right"
    return "nearly" if near[0] >= QUIZ.nearly and apart >= -QUIZ.nearly_apart else "wrong"


def measure_nearness(text: str, items: Sequence[Item]) -> NDArray[np.floating]:
    """Return (n,) how similar a text is to the descriptions, without what all texts have in common."""
    embedder = get_embedder()
    centre = get_heads(embedder).projection.centre
    said = unit_rows(embedder.embed([text]) - centre)[0]
    return unit_rows(embed_items(items) - centre) @ said


def embed_items(items: Sequence[Item]) -> Floats:
    """Return (n, d) of the descriptions; of maps and packs they are made once, of what is sealed each time."""
    embedder = get_embedder()
    with _guard:
        found = {
            item: _kept[embedder.model, item.description]
            for item in items
            if (embedder.model, item.description) in _kept
        }
    missing = [item for item in items if item not in found]
    if missing:
        found |= dict(zip(missing, embedder.embed([item.description for item in missing]), strict=True))
        with _guard:
            _kept.update(
                {(embedder.model, item.description): found[item] for item in missing if not item.is_lesson}
            )
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    return np.stack([found[item] for item in items])
