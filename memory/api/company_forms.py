"""What programs ask of a company's memory, and what they are told: the same words as in its exports."""

from rest_framework import serializers

from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.paging import PageQuery
from memory.company.audit.filters import LONGEST_SEARCH, State
from memory.company.audit.search import MOST_HITS
from memory.models import CompanyEvent, CompanyFact

CATEGORIES = CompanyFact.Category.choices
#: What a fact can have become; flagged and believed at once is told by `flagged`.
STATES = ("active", "superseded", "expired")


class _FactFilter(Strict):
    """Which facts are asked for."""

    category = serializers.ChoiceField(CATEGORIES, required=False)
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


class FactOut(serializers.Serializer):
    """One thing that is or was believed of the company."""

    id = serializers.UUIDField()
    category = serializers.ChoiceField(CATEGORIES)
    content = serializers.CharField()
    language = serializers.CharField()
    state = serializers.ChoiceField(STATES)
    flagged = serializers.BooleanField()
    confidence = serializers.FloatField()
    origin = serializers.ChoiceField(CompanyFact.Origin.choices)
    believed_since = Moment()
    expires_at = Moment(allow_null=True)
    said_by = serializers.CharField(allow_blank=True)
    said_by_id = serializers.UUIDField(allow_null=True)
    said_at = Moment()
    conversation_id = serializers.UUIDField(allow_null=True)
    message_id = serializers.UUIDField(allow_null=True)
    confirmations = serializers.IntegerField()
    confirmed_at = Moment()
    superseded_at = Moment(allow_null=True)
    superseded_by = serializers.UUIDField(allow_null=True)
    superseded_reason = serializers.CharField(allow_blank=True)
    superseded_actor = serializers.CharField(allow_blank=True)
    restores = serializers.UUIDField(allow_null=True)
    flagged_at = Moment(allow_null=True)
    reviewed_at = Moment(allow_null=True)
    reviewed_by = serializers.CharField(allow_blank=True)
    extraction_id = serializers.UUIDField(allow_null=True)
    doubted_since = Moment(allow_null=True)
    doubted_by = serializers.UUIDField(allow_null=True)


class LinkOut(FactOut):
    """One fact of a chain, with the others whose place it took as well."""

    also_took_the_place_of = FactOut(many=True)


class FactEventOut(serializers.Serializer):
    """One thing that happened to a fact."""

    kind = serializers.ChoiceField(CompanyEvent.Kind.choices)
    at = Moment()
    actor = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    other_fact = serializers.UUIDField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    expires_at = Moment(allow_null=True)
    message_id = serializers.UUIDField(allow_null=True)


class ChainOut(serializers.Serializer):
    """A fact between what came before it and what came after, the earliest first."""

    fact = FactOut()
    chain = LinkOut(many=True)
    chain_is_cut = serializers.BooleanField()
    events = FactEventOut(many=True)
    events_total = serializers.IntegerField()


class HitOut(serializers.Serializer):
    """A fact that answers a search."""

    fact = FactOut()
    score = serializers.FloatField()
    similarity = serializers.FloatField(allow_null=True)
    has_words = serializers.BooleanField()


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
