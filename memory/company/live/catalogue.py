"""Key figures and deadlines that are known by their keys, with their names and units, and the terms of a company's affairs, in both languages."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion_site.language import Language
from memory.company.live.entries import KpiEntry
from memory.models import Deadline, Kpi


@dataclass(frozen=True)
class Known:
    """A key that the site has a name for.

    Attributes:
        unit: a currency, or empty for a number of things.
        spoken: what else people call it, in either language; of a figure, casefolded beginnings of words.
        stated: what else a figure is called where a number stands beside it; to be asked for by these words says too little.
    """

    english: str
    swedish: str
    unit: str = ""
    spoken: Sequence[str] = ()
    stated: Sequence[str] = ()

    def label(self, language: Language) -> str:
        return self.swedish if language == "sv" else self.english


_TOLD = json.loads((Path(__file__).parent / "catalogue.json").read_text(encoding="utf-8"))
#: In the order in which they are told.
FIGURES = {key: Known(**told) for key, told in _TOLD["figures"].items()}
DEADLINES = {key: Known(**told) for key, told in _TOLD["deadlines"].items()}
#: What a company's facts are about, English and Swedish. Inflected forms begin with what stands before the bar.
TERMS: Sequence[tuple[str, str]] = _TOLD["terms"]


def terms_of(text: str, language: Language) -> tuple[str, ...]:
    """Return what a text speaks of, in a language: the names of its terms that stand there in the other."""
    own, other = (0, 1) if language == "en" else (1, 0)
    return tuple(
        dict.fromkeys(
            pair[own].replace("|", "")
            for pair in TERMS
            if re.search(rf"\b{re.escape(pair[other].split('|')[0])}", text, re.IGNORECASE)
        )
    )


def figure_label(figure: Kpi | KpiEntry, language: Language) -> str:
    """Return what a figure is called: by the site's own name for it, as it was given, or by its key."""
    known = FIGURES.get(figure.key)
    return known.label(language) if known else figure.label or _spoken_key(figure.key)


def deadline_label(deadline: Deadline, language: Language) -> str:
    """Return what a deadline is called; a name that was given says more than the kind of deadline."""
    known = DEADLINES.get(deadline.key)
    return deadline.label or (known.label(language) if known else _spoken_key(deadline.key))


def _spoken_key(key: str) -> str:
    return key.replace("_", " ").replace("-", " ")


def unit_of(figure: Kpi | KpiEntry) -> str:
    """Return a figure's unit: as it was given, or the one that its key is known to have."""
    known = FIGURES.get(figure.key)
    return figure.unit or (known.unit if known else "")


def rank(key: str) -> int:
    """Return a figure's place in what is told: known ones first."""
    return list(FIGURES).index(key) if key in FIGURES else len(FIGURES)
