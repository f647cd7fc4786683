"""The words of a summary: a model's where one can be asked and has left nothing out, else the members' own, joined."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion_site.language import sanitise
from companion_site.llm.gateway import get_gateway
from memory.company.summaries.coverage import says_the_same
from memory.company.summaries.draft import JOINT, Planned
from memory.company.summaries.prompts import (
    MOST_GROUPS,
    WrittenSummaries,
    render_groups,
    summary_instructions,
)
from memory.reading.model import ask_model


@dataclass(frozen=True, kw_only=True)
class Written:
    """A summary with its words.

    Attributes:
        by_model: that a model wrote them.
    """

    planned: Planned
    text: str
    by_model: bool


def write_summaries(planned: Sequence[Planned]) -> list[Written]:
    """Return the words of each summary, none without a value of its parts.

    Slow where a model is asked: never inside a transaction.
    """
    found: list[Written] = []
    for start in range(0, len(planned), MOST_GROUPS):
        batch = planned[start : start + MOST_GROUPS]
        by_model = _ask(batch)
        found += [_write(one, by_model.get(place, "")) for place, one in enumerate(batch)]
    return found


def name_providers() -> str:
    """Return the names of those who may have written a summary, in the order in which they are asked."""
    return "/".join(provider.name for provider in get_gateway().providers)


def join_parts(contents: Sequence[str]) -> str:
    """Return the members' own words side by side, in the order given."""
    return JOINT.join(" ".join(sanitise(content).split()).rstrip(" .;") for content in contents)


def _ask(batch: Sequence[Planned]) -> dict[int, str]:
    """Return what a model wrote, by the place of the group; nothing where no model could be asked."""
    groups = {place: one.contents for place, one in enumerate(batch) if len(one.contents) > 1}
    if not groups:
        return {}
    written = ask_model(
        WrittenSummaries,
        instructions=summary_instructions(),
        data=render_groups(list(groups.values())),
        purpose="memory.company_compression",
    )
    found = written.summaries if written else []
    places = list(groups)
    return {places[one.group]: one.text for one in found if one.group < len(places)}


def _write(planned: Planned, by_model: str) -> Written:
    own, models = join_parts(planned.contents), " ".join(sanitise(by_model).split())
    is_models = 0 < len(models) <= len(own) and says_the_same(models, planned.contents)
    text = models if is_models else own
    return Written(planned=planned, text=planned.heading + text, by_model=is_models)
