"""Personal data in a text: every place once, whichever kinds it could be."""

from collections.abc import Collection, Iterator

from companion_site.llm.scrubbing.cards import find_cards
from companion_site.llm.scrubbing.emails import find_emails
from companion_site.llm.scrubbing.folding import end_lines, fold_marks
from companion_site.llm.scrubbing.ibans import find_ibans
from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.personal_numbers import find_personal_numbers
from companion_site.llm.scrubbing.phones import find_phones
from companion_site.llm.scrubbing.places import Place

_RANK = {kind: rank for rank, kind in enumerate(Kind)}


def find_places(text: str, kinds: Collection[Kind]) -> list[Place]:
    """Return where data of `kinds` stands in `text`, in order and apart from each other.

    All kinds are looked for, so that what is a personal number is not a telephone number because the former may be sent.
    """
    return [place for place in _settle(_find_all(text)) if place.kind in kinds]


def _find_all(text: str) -> Iterator[Place]:
    text = end_lines(text)
    yield from find_emails(text)
    folded = fold_marks(text)
    yield from find_personal_numbers(folded)
    yield from find_ibans(folded)
    yield from find_cards(folded)
    yield from find_phones(folded)


def _settle(places: Iterator[Place]) -> Iterator[Place]:
    """Yield one place for each group that overlaps: the kind of the longest, over all that any of them covers."""
    group: list[Place] = []
    end = 0
    for place in sorted(places, key=lambda place: place.start):
        if group and place.start >= end:
            yield _join(group)
            group = []
        group.append(place)
        end = max(end, place.end)
    if group:
        yield _join(group)


def _join(group: list[Place]) -> Place:
    longest = max(group, key=lambda place: (place.end - place.start, -_RANK[place.kind]))
    start, end = group[0].start, max(place.end for place in group)
    if (longest.start, longest.end) == (start, end):
        return longest
    return Place(longest.kind, start, end, "/".join(place.value for place in group))
