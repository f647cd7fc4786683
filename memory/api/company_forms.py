"""What programs ask of a company's memory, and what they are told: the same words as in its exports."""

from rest_framework import serializers

from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.paging import PageQuery
from memory.company.audit.filters import LONGEST_SEARCH, State
from memory.company.audit.search import MOST_HITS
from memory.company.audit.serializers import FactOut, HitOut
from memory.models import CompanyFact


class _FactFilter(Strict):
    """Which facts are asked for."""

    category = serializers.ChoiceField(CompanyFact.Category.choices, required=False)
    said_by = IdField(required=False)
    since = serializers.DateField(required=False, help_text="Believed since that day or later.")
    until = serializers.DateField(required=False, help_text="Believed since that day or earlier.")
    as_of = Moment(required=False, help_text="What was believed at that moment.")


class FactQuery(PageQuery, _FactFilter):
    """Which facts are asked for; without more, what is believed now."""

    state = serializers.ChoiceField(State.choices, default=State.ACTIVE)


@example("A question", {"query": "rent", "state": "all"})
class FactSearchBody(_FactFilter):
    """What to look for, over the whole history unless `state` says otherwise."""

    query = TextField(max_length=LONGEST_SEARCH)
    state = serializers.ChoiceField(State.choices, default=State.ALL)
    limit = WholeField(min_value=1, max_value=MOST_HITS, default=20)


class HitsOut(serializers.Serializer):
    """What answers a search, the best first."""

    items = HitOut(many=True)


@example("Keep it", {"keep": True})
class ReviewBody(Strict):
    """What is decided about a fact that waits for it."""

    keep = SwitchField(help_text="False: what it contradicted comes back.")


@example("It holds", {"holds": True})
class DoubtBody(Strict):
    """What is decided about a fact in doubt."""

    holds = SwitchField(help_text="False: it is out of date, and gives way to what was said later.")


class BelievedOut(serializers.Serializer):
    """What is believed now, after a decision."""

    facts = FactOut(many=True)
