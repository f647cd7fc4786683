"""Every row that belongs to somebody keeps to the rules that keep spaces apart, and lets them be distributed."""

import re
from uuid import UUID

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, models

from companion_site.audit.models import AuditEvent
from companion_site.vault.fields import SealedField
from companion_site.vault.protection import is_metadata
from companion_site.vault.rows import SpaceForeignKey, SpaceModel
from tests.guards.source import OURS

#: Our own models that are no rows of a space, each with the reason.
OUTSIDE = {
    "accounts.BusinessSystem": "an organisation's program",
    "accounts.ClassMembership": "who is in a class",
    "accounts.Company": "an organisation",
    "accounts.Invitation": "how somebody comes to a password, before they have a space",
    "accounts.LearningSystem": "an organisation's platform",
    "accounts.LimitCount": "counted before it is known whose it is",
    "accounts.Person": "somebody who logs in",
    "accounts.School": "an organisation",
    "accounts.Session": "a log-in; what it holds of a key is encrypted under the browser's",
    "accounts.SchoolClass": "an organisation's part",
    "audit.AuditEvent": "outlives the space it is about",
    "llm.LlmCall": "usage of the platform, nobody's",
    "vault.Space": "the space itself: who, what kind and what is due",
}
#: Columns of words in rows of spaces that are neither sealed nor a choice of the code's own, by what they hold.
READABLE = {
    "what the person calls a program, for auditors too": "accounts.ApiToken.name",
    "choices": "accounts.ApiToken.scopes",
    "a code of two letters": """
        chat.Message.language memory.CompanyFact.language memory.MemoryNode.language memory.Pack.language
    """,
    "name of the language model": "chat.Message.model memory.Extraction.model memory.SleepRun.model",
    "name of the language model's provider": """
        chat.Message.provider memory.CompanyCompression.provider memory.Extraction.provider memory.SleepRun.provider
    """,
    "ids, scores and their terms": "chat.Message.recalled",
    "names of steps, how they were done, durations and counts": "chat.Message.steps",
    "durations": "chat.Message.timings_ms",
    "name of the embedding model": """
        memory.AgentVector.model memory.CompanyFactVector.model memory.MemoryVector.model
        memory.PackVector.model
    """,
    "word of the code's own": "memory.CompanyEvent.reason memory.MemoryChange.reason",
    "counts": """
        memory.CompressionRun.after memory.CompressionRun.before memory.Extraction.counts
        memory.SleepRun.categories
    """,
    "hash": "memory.CompressionRun.integrity_hash memory.Pack.checksum",
    "numbers": "memory.CompressionRun.loss",
    "the company's, open to its members": """
        memory.Deadline.key memory.Deadline.label memory.Kpi.key memory.Kpi.label memory.Kpi.unit
    """,
    "ids": "memory.MemoryChange.node_ids",
    "the pack's, open to whoever mounts it": """
        memory.Pack.author memory.Pack.description memory.Pack.domain_tags memory.Pack.key memory.Pack.licence
        memory.Pack.name memory.Pack.pack_version memory.PackEdge.rel
    """,
    "a public key": "memory.Pack.signed_by",
    "code of an error": "memory.SleepRun.error",
    "the world's, open to its school": """
        overlay.Concept.aliases overlay.Concept.description overlay.Concept.key overlay.Concept.kind
        overlay.Concept.name
    """,
    "cost of the derivation": "vault.KeySlot.parameters",
}
#: Binary columns that hold no content, by what they hold.
NOT_SEALED = {
    "hash keyed by the space": """
        api.KeptAnswer.key_hash api.KeptAnswer.request_hash ledger.LedgerEntry.content_hash
        memory.AgentContext.task_hash memory.AgentNode.path_hash memory.AgentNode.source_hash
        memory.AgentNode.task_hash memory.AgentSnapshot.archive_hash memory.AgentSource.name_hash
        memory.MemoryNode.content_hash overlay.KnownConcept.concept_hash overlay.KnownEdge.edge_hash
        overlay.Repetition.item_hash
    """,
    "counted of a pack's words, open to whoever mounts it": "memory.PackPosting.postings",
    "for everybody who writes": "vault.InboxKey.public_key",
    "random": "vault.KeySlot.salt",
    "wrapped twice by slots.py": "vault.KeySlot.wrapped_key",
    "sealed to the inbox key": "vault.SealedBox.sealed_text",
}
#: Tables of companies and of packs, whose content is plain.
PLAIN = {
    "company_kpi",
    "company_memory",
    "company_memory_refusal",
    "company_memory_vector",
    "memory_packnode",
    "memory_packposting",
    "memory_packvector",
}
#: Indexes that begin with no space: the nearest vectors are looked for in all packs, and the space filters what is found.
NEAREST = {"memory_packvector_bundled"}
WORDS = (models.CharField, models.TextField, models.JSONField)

MODELS = [model for model in apps.get_models() if model.__module__.startswith(OURS)]
ROWS = [model for model in MODELS if getattr(model, "belongs_to_space", False)]
FIELDS = [field for model in ROWS for field in model._meta.concrete_fields]

pytestmark = pytest.mark.spec("G11")


def label(field):
    return f"{field.model._meta.label}.{field.name}"


def test_every_model_is_a_row_of_a_space_or_says_why_not():
    """Nothing that belongs to somebody stands outside the spaces by mistake."""
    assert {model._meta.label for model in MODELS} - {model._meta.label for model in ROWS} == set(OUTSIDE)
    assert all(issubclass(model, SpaceModel) for model in ROWS)


def test_a_row_is_known_by_an_id_that_sorts_by_time():
    """The primary key is one UUIDv7, which other rows and other tables can point to."""
    for key in (model._meta.pk for model in ROWS):
        assert (key.name, type(key)) == ("id", models.UUIDField), key.model
        assert key.get_default().version == 7 and isinstance(key.get_default(), UUID), key.model


def test_unique_rules_and_indexes_begin_with_the_space():
    """Uniqueness across spaces cannot be kept once they are distributed, so none is promised."""
    for about in (model._meta for model in ROWS):
        rules = [rule for rule in about.total_unique_constraints if rule.name.endswith("_space_id")]
        assert [rule.fields for rule in rules] == [("space", "id")], about
        unique = [rule for rule in about.constraints if isinstance(rule, models.UniqueConstraint)]
        for rule in (*unique, *about.indexes):
            assert rule.name in NEAREST or rule.fields[0] == "space", rule.name
        assert [label(field) for field in about.fields if field.unique and not field.primary_key] == []


def test_keys_stay_inside_the_space():
    """A key to another row of a space carries the space; one to a person is not the database's to hold."""
    assert not any(model._meta.many_to_many for model in ROWS)
    for field in FIELDS:
        if not field.is_relation or field.name == "space":
            continue
        within = getattr(field.related_model, "belongs_to_space", False)
        assert isinstance(field, SpaceForeignKey) if within else not field.db_constraint, label(field)


def test_words_in_rows_of_spaces_are_sealed():
    """A column of words is sealed, content of an open space, one of given words, or on the list with what it holds instead."""
    words = [
        field for field in FIELDS if isinstance(field, WORDS) and is_metadata(field) and not field.choices
    ]
    assert sorted(map(label, words)) == sorted(" ".join(READABLE.values()).split())
    binary = [field for field in FIELDS if isinstance(field, models.BinaryField)]
    unsealed = [label(field) for field in binary if not isinstance(field, SealedField)]
    assert sorted(unsealed) == sorted(" ".join(NOT_SEALED.values()).split())


def test_plain_content_belongs_to_open_spaces_alone():
    """Only the tables of a company hold content that no key seals, and no role that reads across spaces sees it."""
    plain = [field for field in FIELDS if getattr(field, "holds_content", False)]
    assert {field.model._meta.db_table for field in plain} == PLAIN


@pytest.mark.django_db
def test_the_database_s_indexes_begin_with_the_space():
    """An index of a space's table begins with its space, but for the primary key."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s)", [tables()])
        columns = {name: re.search(r"\((.*?)\)", text)[1] for name, text in cursor.fetchall()}
    strangers = {name: text for name, text in columns.items() if text.split(", ")[0] != "space_id"}
    assert {name for name, text in strangers.items() if text != "id"} == NEAREST
    assert len(strangers) == len(ROWS) + len(NEAREST)


@pytest.mark.django_db
def test_the_database_s_keys_carry_the_space_and_are_checked_at_once():
    """Every key among rows of spaces is (space_id, x) → (space_id, id), and none waits for the commit."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid), condeferrable FROM pg_constraint "
            "WHERE contype = 'f' AND conrelid::regclass::text = ANY(%s)",
            [tables()],
        )
        keys = cursor.fetchall()
    for name, text, deferrable in keys:
        to_the_space = "(space_id) REFERENCES vault_space(id)" in text
        within = re.search(r"\(space_id, \w+\) REFERENCES \w+\(space_id, id\)$", text)
        assert (to_the_space or within) and not deferrable, (name, text)
    points = [field for field in FIELDS if isinstance(field, SpaceForeignKey)]
    assert len(keys) == len(points) + len(ROWS)


@pytest.mark.django_db
@pytest.mark.spec("E3")
def test_each_role_may_do_what_was_meant_and_no_more():
    """The site writes rows, adds to the record and reads what was migrated; the metadata role reads shapes."""
    site, metadata = (settings.DATABASES[alias]["USER"] for alias in ("default", "metadata"))
    assert granted(metadata) == {}
    rights = granted(site)
    assert rights.pop("django_migrations") == {"SELECT"}
    added_to = {
        AuditEvent._meta.db_table,
        "company_memory_compression",
        "company_memory_event",
        "memory_agentsnapshot",
    }
    assert {table for table, verbs in rights.items() if verbs == {"SELECT", "INSERT"}} == added_to
    kept = {"company_memory", "company_memory_refusal", "memory_extraction"}
    assert {table for table, verbs in rights.items() if verbs == {"SELECT", "INSERT", "UPDATE"}} == kept
    assert {frozenset(verbs) for table, verbs in rights.items() if table not in added_to | kept} == {
        frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"})
    }
    shapes = [field for field in FIELDS if is_metadata(field)]
    assert readable_columns(metadata) == {(field.model._meta.db_table, field.column) for field in shapes}


def granted(role):
    """Return the rights on whole tables that a role has, by any way it comes to them."""
    verbs = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(
                "SELECT verb FROM unnest(%s::text[]) AS verb WHERE has_table_privilege(%s, %s, verb)",
                [list(verbs), role, f'public."{table}"'],
            )
            held = {row[0] for row in cursor.fetchall()}
            if held:
                found[table] = held
    return found


def readable_columns(role):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
            "WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 "
            "AND NOT a.attisdropped AND has_column_privilege(%s, c.oid, a.attnum, 'SELECT')",
            [role],
        )
        return set(cursor.fetchall())


def tables():
    return [model._meta.db_table for model in ROWS]
