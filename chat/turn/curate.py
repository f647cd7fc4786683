"""The step that chooses what goes into a reply: by rules, or where steps ask a model, from what it picks first."""

from collections import Counter
from dataclasses import dataclass, field, replace

from chat.planning.curation import CurateInput, curate, without_avoided
from chat.planning.forms import ReadCuration, curation_instructions, pick, render_candidates
from chat.planning.kinds import Mode
from chat.planning.snapshot import Snapshot
from chat.turn.model import ask_fast, form_without
from chat.turn.steps import Form
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError

PURPOSE = "chat.curate"


@dataclass(frozen=True, kw_only=True)
class Curated:
    """What was chosen from, and how.

    Attributes:
        dropped: how many of the candidates were left out before the rules choose, by reason.
    """

    given: CurateInput
    dropped: Counter[str] = field(default_factory=Counter)
    form: Form = "offline"

    def for_mode(self, mode: Mode) -> Snapshot:
        """Return the snapshot for what the reply is to do, by the rules."""
        snapshot = curate(replace(self.given, mode=mode))
        return replace(snapshot, dropped=dict(Counter(snapshot.dropped) + self.dropped))


def prepare(given: CurateInput) -> Curated:
    """Return the candidates without what is avoided: nobody, not even a model, is shown that."""
    dropped: Counter[str] = Counter()
    return Curated(given=without_avoided(given, dropped), dropped=dropped)


async def curate_step(prepared: Curated, *, message: str, gateway: Gateway | None) -> Curated:
    """Return the candidates as a model leaves them; without one, or where it fails, all of them: the rules choose."""
    given = prepared.given
    if gateway is None or not (given.facts or given.goals or given.gratitude):
        return prepared
    try:
        read = await ask_fast(
            gateway,
            ReadCuration,
            instructions=curation_instructions(),
            data=render_candidates(given, message),
            purpose=PURPOSE,
        )
    except (LanguageModelError, TimeoutError) as error:
        return replace(prepared, form=form_without(error, step="curate"))
    chosen = replace(
        given,
        facts=pick(read.facts, given.facts),
        goals=pick(read.goals, given.goals),
        gratitude=pick(read.gratitude, given.gratitude),
    )
    left = sum(map(len, (given.facts, given.goals, given.gratitude)))
    left -= sum(map(len, (chosen.facts, chosen.goals, chosen.gratitude)))
    return Curated(given=chosen, dropped=prepared.dropped + Counter({"model": left}), form="model")
