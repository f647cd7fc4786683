"""Whether what a model gives as a fact was said: its numbers, its names, its words, and whether it denies."""

import re

from companion_site.language import as_language, fold_words, hide_foreign, stem_words, words
from memory.algorithms.difference import is_negated
from memory.algorithms.quantities import NUMBER_WORDS, read_quantities

#: of the words that carry something, so many must have been said
LEAST_SHARE = 0.6
#: Words in which a fact is told that the person need not have used: whose company it is, and that it was decided.
_TELLING_WORDS = """
company companys user users person owner board decided decision chose chosen wants want prefers prefer preference like
likes uses use using has have had is are was were being been will be to the a an of for in on at by with and or that this
their they its it he she his her from as not no yet still open considering undecided says said we our us i my me business
firm should would do does did you your
bolaget bolagets företaget företagets användaren användarens ägaren styrelsen beslutade beslutat beslut bestämt bestämde
valde valt vill föredrar önskar använder har hade är var att en ett den det de av för i på vid med och eller som deras sin
sitt sina han hon hans hennes från inte ej ännu än fortfarande öppet överväger oklart säger vi vår vårt våra oss jag min
mitt mina mig du dig din ska skall blir blev till om så
"""
_TELLING = frozenset(_TELLING_WORDS.split())
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"(?<![.!?…:]\s)(?<!^)(?<=[\s(\"'])[^\W\d_a-zåäö][\w-]+")


def is_grounded(content: str, said: str, *, language: str, around: str = "") -> bool:
    """Tell whether a fact says nothing that was not said.

    Args:
        said: the message that it is said to come from, as the person wrote it; quoted lines in it were said by others.
        around: what else was shown, from which names, numbers and words may come; what is denied is the message's to say.
    """
    prose = hide_foreign(said)
    shown = f"{prose}\n{around}" if around else prose
    if not _has_numbers(content, shown) or not _has_names(content, shown):
        return False
    if is_negated(content) and not is_negated(prose):
        return False
    return _share_said(content, shown, language) >= LEAST_SHARE and not _lost_denial(content, prose, language)


def _has_numbers(content: str, prose: str) -> bool:
    """Tell whether each number was said, in whatever form ("120k", "120 000 kr", "three")."""
    plain = set(_NUMBER.findall(prose))
    own = set(_NUMBER.findall(content)) - plain
    spelled = (
        {word for word in words(content) if word in NUMBER_WORDS} - set(words(prose)) - {"en", "ett", "one"}
    )
    if not own and not spelled:
        return True
    _, quantities, date = read_quantities(content.casefold())
    _, said, said_date = read_quantities(prose.casefold())
    if any(not any(quantity.agrees(found) for found in said) for quantity in quantities):
        return False
    named = said_date.fields()
    return all(named.get(name) == value for name, value in date.fields().items())


def _has_names(content: str, prose: str) -> bool:
    said = {_bare(word) for word in re.findall(r"[\w-]+", prose)}
    return all(_bare(name) in said for name in _NAME.findall(content))


def _bare(name: str) -> str:
    folded = name.casefold()
    return folded[:-1] if folded.endswith("s") and len(folded) > 3 else folded


def _share_said(content: str, prose: str, language: str) -> float:
    """Return the share of the words that carry something which the person used, in any form."""
    if fold_words(content) in fold_words(prose):
        return 1.0
    told = _stems(content, language)
    return len(told & _stems(prose, language, keep=True)) / len(told) if told else 0.0


def _stems(text: str, language: str, *, keep: bool = False) -> set[str]:
    found = [word for word in words(text) if keep or not (word in _TELLING or word in NUMBER_WORDS)]
    return set(stem_words(found, as_language(language)))


def _lost_denial(content: str, prose: str, language: str) -> bool:
    """Tell whether the sentence that a fact tells denies, and the fact does not."""
    if is_negated(content) or not is_negated(prose):
        return False
    sentences = [
        one for one in re.split(r"(?<=[.!?\n])\s+|[,;]\s+|\s+(?:but|men|och|and)\s+", prose) if one.strip()
    ]
    told = _stems(content, language)
    nearest = max(sentences, key=lambda one: len(told & _stems(one, language, keep=True)))
    return is_negated(nearest) and not _NOT_YET.search(content)


#: said otherwise, a denial all the same: "October is still open" of "I have not looked at October yet"
_NOT_YET = re.compile(
    r"\b(?:undecided|still|open|pending|postponed|needs? to|remains?|without|skip\w*|skips|avoids?|against|oklart|kvar|öppen|öppet|återstår|behöver|måste|utan|avst\w+|skjut\w+|uppskjut\w+|väntar)\b",
    re.IGNORECASE,
)
