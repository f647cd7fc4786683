"""The values in a text: numbers with units, money, dates, times, names, denial. One reader for everything that compares them."""

from dataclasses import dataclass

from companion_site.language import find_names
from memory.algorithms.quantities import Quantity, When, read_quantities
from memory.reading.words import find_words, table

#: Longer texts are read this far: values are compared between statements, not between essays.
LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Values:
    """What a text states that no likeness of meaning tells apart."""

    quantities: tuple[Quantity, ...]
    when: When
    names: frozenset[str]
    is_denied: bool
    is_ending: bool
    stems: frozenset[str]


def read_values(text: str) -> Values:
    """Return the values of a text, in whatever language its words are."""
    text = text[:LONGEST]
    _, quantities, when = read_quantities(text.casefold())
    words = find_words(text)
    return Values(
        quantities=tuple(quantities),
        when=when,
        names=frozenset(name.casefold() for name in find_names(text)),
        is_denied=bool(table("denying").intersection(words)),
        is_ending=bool(table("ending").intersection(words)),
        stems=frozenset(word[:5] for word in words),
    )


def numbers_agree(one: Values, other: Values) -> bool | None:
    """Tell whether each number of the one that the other could hold is in it; None where either has none."""
    if not one.quantities or not other.quantities:
        return None
    return any(quantity.agrees(found) for quantity in one.quantities for found in other.quantities)
