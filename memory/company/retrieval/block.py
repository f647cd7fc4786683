"""The [COMPANY MEMORY] block of a request, in the document's form and within its tokens.

Everything in it is data: nothing remembered leaves its line, and since square brackets are written out, nothing
remembered can close the block or open another.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from companion_site.llm.fences import defuse
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, estimate_tokens
from companion_site.shortening import shorten
from memory.company.params import COMPANY
from memory.company.retrieval.relevance import Relevance
from memory.querysets import READING_ORDER
from memory.reading.owners import speaks_of_oneself

OPENING = "[COMPANY MEMORY]"
CLOSING = "[END COMPANY MEMORY]"
HEADINGS: dict[str, str] = {
    "preference": "User preferences:",
    "unresolved": "Open items:",
    "decision": "Recent decisions:",
    "knowledge": "Company context:",
}
UNCERTAIN = "uncertain"
OUTDATED = "outdated?"
CONTRADICTED = "the message seems to say otherwise"
OVERRULED = "overruled by the live state: {}"
LINE_LENGTH, NAME_LENGTH = 400, 40
#: What brackets look like, in any width, becomes what closes nothing.
_WRITTEN_OUT = str.maketrans(
    {
        **dict.fromkeys("[\uff3b\u3010\u3014\u27e6", "("),
        **dict.fromkeys("]\uff3d\u3011\u3015\u27e7", ")"),
        "<": "&lt;",
        ">": "&gt;",
    }
)


@dataclass(frozen=True, kw_only=True)
class InjectedFact:
    """One fact as the model reads it, and how it stands to the message.

    Attributes:
        stands: the row by which it is believed: its own, or that of the summary that it is a part of.
        is_asked_for: it is in doubt, and the message asks for it and for what perhaps took its place; only then the block doubts it.
        is_own: whoever asks said it.
        is_uncertain: told with a doubt, since nobody has confirmed it for long or it was never sure.
        doubted_since, doubted_by: when what probably takes its place was said, and that fact.
        overruled_by: the live figure that speaks of the same thing and differs ("Employees = 3"); "" for none.
        live: that figure as it is told; "" for none.
    """

    id: UUID
    stands: UUID
    category: str
    content: str
    said_on: date
    relevance: Relevance
    said_by: str = ""
    is_asked_for: bool = True
    is_own: bool = False
    is_uncertain: bool = False
    doubted_since: date | None = None
    doubted_by: UUID | None = None
    overruled_by: str = ""
    live: str = ""

    @property
    def is_of_another(self) -> bool:
        """Whether somebody else says it of themselves: without their name it would be taken for the asker's."""
        return not self.is_own and speaks_of_oneself(self.content)

    @property
    def is_contradicted(self) -> bool:
        """Whether the message speaks against it."""
        return self.relevance.is_contradicted

    @property
    def is_sure(self) -> bool:
        """Whether it may be told without a doubt."""
        return self.doubted_since is None and not self.is_unsure

    @property
    def is_unsure(self) -> bool:
        """Whether it was not sure when it was said, or its own message or the books speak against it."""
        return self.is_uncertain or self.is_contradicted or bool(self.overruled_by)


def company_block(facts: Iterable[InjectedFact], *, tokens: int = COMPANY.most_tokens) -> str:
    """Return the block, "" where nothing is remembered; what passes `tokens` is left out, the last given first.

    One part for each category that has any, in each the newest first, under who said it and when.
    """
    parts = []
    newest_first = sorted(fitting_facts(facts, tokens=tokens), key=lambda fact: fact.said_on, reverse=True)
    for category in READING_ORDER:
        said: dict[str, list[str]] = {}
        for fact in newest_first:
            if fact.category == category:
                said.setdefault(_source(fact), []).append(fact_line(fact))
        if said:
            lines = (line for source, facts_of in said.items() for line in (source, *facts_of))
            parts.append("\n".join([HEADINGS[category], *lines]))
    return "\n".join([OPENING, "\n\n".join(parts), CLOSING]) if parts else ""


def fitting_facts(facts: Iterable[InjectedFact], *, tokens: int = COMPANY.most_tokens) -> list[InjectedFact]:
    """Return the facts that a block of `tokens` holds: the first ones given, counted with their headings."""
    kept: list[InjectedFact] = []
    spent = estimate_tokens(f"{OPENING}\n{CLOSING}") + TOKENS_PER_MESSAGE
    headed: set[tuple[str, str]] = set()
    for fact in facts:
        above = {
            (fact.category, ""): f"\n{HEADINGS[fact.category]}",
            (fact.category, _source(fact)): _source(fact),
        }
        cost = sum(
            estimate_tokens(f"{line}\n")
            for line in (fact_line(fact), *(above[head] for head in above.keys() - headed))
        )
        if spent + cost > tokens:
            break
        headed.update(above)
        kept.append(fact)
        spent += cost
    return kept


def fact_line(fact: InjectedFact) -> str:
    """Return a fact as a line: its words, and in brackets what to think of them; what may be outdated is uncertain already."""
    is_doubted = fact.doubted_since is not None and fact.is_asked_for
    marks = [
        *([OUTDATED] if is_doubted else [UNCERTAIN] if fact.is_uncertain else []),
        *([CONTRADICTED] if fact.is_contradicted else []),
        *([OVERRULED.format(one_line(fact.overruled_by, length=100))] if fact.overruled_by else []),
    ]
    return f"- {one_line(fact.content)}" + (f" ({'; '.join(marks)})" if marks else "")


def _source(fact: InjectedFact) -> str:
    """Return the line under which facts stand: who said them and when."""
    said = [one_line(fact.said_by, length=NAME_LENGTH)] if fact.said_by else []
    return f"{', '.join([*said, f'{fact.said_on:%Y-%m-%d}'])}:"


def one_line(text: str, *, length: int = LINE_LENGTH) -> str:
    """Return remembered text as one harmless line of at most `length` characters."""
    return shorten(defuse(text).translate(_WRITTEN_OUT), length)
