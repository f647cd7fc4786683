"""The ledger over the REST API: parse, authorise, call a service, tell."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers

from companion_site.accounts.access import Access, student_access
from companion_site.accounts.tokens import Scope
from companion_site.api.fields import Moment, NumberField, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.operations import Asked, Endpoints, Made, opening
from companion_site.api.paging import Page, PageQuery, page_of_data
from ledger import services
from ledger.entries import LIMITS, EntryData, EntryDraft, as_data, entry_history, list_entries
from ledger.models import LedgerEntry

CATEGORIES, TRUST = LedgerEntry.Category.choices, LedgerEntry.Trust.choices


class EntryQuery(PageQuery):
    """Which entries are asked for."""

    category = serializers.ChoiceField(CATEGORIES, required=False)
    active = SwitchField(required=False, help_text="False: those that were retired.")


def _phrases(most: int, text: str) -> serializers.ListField:
    child = TextField(max_length=LIMITS.phrase_chars)
    return serializers.ListField(child=child, max_length=most, required=False, help_text=text)


class _EntryFields(Strict):
    summary = TextField(required=False, allow_blank=True, max_length=LIMITS.summary_chars)
    importance = NumberField(required=False, min_value=0, max_value=1)
    trigger_threshold = NumberField(required=False, min_value=0, max_value=1)
    triggers = _phrases(LIMITS.triggers, "Words that bring it up; without any it always holds.")
    trigger_entities = _phrases(LIMITS.trigger_entities, "People and places that bring it up.")
    expires_at = Moment(required=False, allow_null=True, help_text="In the future; null: never.")


@example(
    "A promise",
    {
        "category": "promise",
        "content": "Lend Maja my bicycle on Saturday.",
        "trigger_entities": ["Maja"],
        "importance": 0.8,
    },
)
class EntryBody(_EntryFields):
    """What is to be kept, word for word."""

    category = serializers.ChoiceField(CATEGORIES)
    content = TextField(max_length=LIMITS.content_chars)


@example("More important", {"importance": 0.9, "revision": 1})
class RevisionBody(_EntryFields):
    """What is to be different from now on; what is left out stays."""

    category = serializers.ChoiceField(CATEGORIES, required=False)
    content = TextField(required=False, max_length=LIMITS.content_chars)
    revision = WholeField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The revision that was looked at: 409 where it is not the last.",
    )


class EntryOut(serializers.Serializer):
    """One revision of an entry; `id` is the entry's."""

    id = serializers.UUIDField(source="entry_id")
    revision = serializers.IntegerField()
    category = serializers.ChoiceField(CATEGORIES)
    trust = serializers.ChoiceField(TRUST)
    content = serializers.CharField()
    summary = serializers.CharField()
    triggers = serializers.ListField(child=serializers.CharField())
    trigger_entities = serializers.ListField(child=serializers.CharField())
    importance = serializers.FloatField()
    trigger_threshold = serializers.FloatField()
    active = serializers.BooleanField(source="is_active")
    expires_at = Moment(allow_null=True)
    memory = serializers.UUIDField(source="node_id", allow_null=True)
    recorded_at = Moment()
    superseded_at = Moment(allow_null=True)


class HistoryOut(serializers.Serializer):
    """An entry with every revision it had, the newest first."""

    entry = EntryOut()
    revisions = EntryOut(many=True)


def as_fields(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was sent as the fields of an entry."""
    fields = {name: value for name, value in given.items() if name != "revision"}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


ENTRY = "ledger/entries/<uuid:entry_id>"
ledger = Endpoints(scope=Scope.LEDGER, opens=opening(student_access))


@ledger.get("ledger/entries", "List entries", query=EntryQuery, pages=EntryOut)
def show_entries(asked: Asked, access: Access) -> Page:
    """Return the last revision of each entry, the last kept first."""
    category, active = asked.given.get("category"), asked.given.get("active")
    wanted = [
        entry
        for entry in list_entries(access.space)
        if category in (None, entry.category) and active in (None, entry.is_active)
    ]
    return page_of_data(wanted, asked.given, id_of=lambda entry: entry.entry_id)


@ledger.post("ledger/entries", "Keep something", body=EntryBody, answer=EntryOut, status=201, repeats="whole")
def keep_entry(asked: Asked, access: Access) -> Made:
    """Keep something word for word. The same words in the same category are one entry."""
    draft = EntryDraft(**as_fields(asked.given))
    row = services.record_entry(access.space, draft, now=timezone.now(), actor=access.person)
    return Made(as_data(row), "show_entry", (row.entry_id,))


@ledger.get(ENTRY, "Show an entry", answer=HistoryOut)
def show_entry(asked: Asked, access: Access, entry_id: UUID) -> dict[str, Any]:
    """Return an entry with every revision it had."""
    history = entry_history(access.space, entry_id)
    return {"entry": history[0], "revisions": history}


@ledger.patch(ENTRY, "Revise an entry", body=RevisionBody, answer=EntryOut, refuses=[409])
def revise_entry(asked: Asked, access: Access, entry_id: UUID) -> EntryData:
    """Write a new revision that differs in what is sent; the one before stays. What changes nothing writes nothing."""
    row = services.revise_entry(
        access.space,
        entry_id,
        changes=as_fields(asked.given),
        revision=asked.given.get("revision"),
        now=timezone.now(),
        actor=access.person,
    )
    return as_data(row)


@ledger.post(f"{ENTRY}/retire", "Retire an entry", answer=EntryOut, repeats="whole")
def retire_entry(asked: Asked, access: Access, entry_id: UUID) -> EntryData:
    """Have an entry hold no longer, by a new revision."""
    return _switch(access, entry_id, is_active=False)


@ledger.post(f"{ENTRY}/bring-back", "Bring an entry back", answer=EntryOut, repeats="whole")
def bring_back_entry(asked: Asked, access: Access, entry_id: UUID) -> EntryData:
    """Have a retired entry hold again, by a new revision."""
    return _switch(access, entry_id, is_active=True)


def _switch(access: Access, entry_id: UUID, *, is_active: bool) -> EntryData:
    row = services.switch_entry(
        access.space, entry_id, is_active=is_active, now=timezone.now(), actor=access.person
    )
    return as_data(row)


urlpatterns = ledger.urls
