"""Spaces are kept apart by the database itself, whatever the code does."""

import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from chat.models import Conversation, Message
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.checks import site_role_is_bound
from companion_site.vault.scope import space_scope, write_scope
from tests.factories import NOW, make_access

pytestmark = pytest.mark.django_db


@pytest.fixture
def two():
    """Two students, each with one conversation."""
    return [(access, begin(access)) for access in (make_access("ada"), make_access("elsa"))]


def begin(access):
    with space_scope(access.space):
        return begin_outside(access)


def begin_outside(access):
    with unlocked(access.space, access.key):
        return Conversation.objects.create(
            space_id=access.space, author=access.person, title="secret", created_at=NOW, updated_at=NOW
        )


def test_the_suite_works_as_the_site_role():
    """Every test here runs under row-level security, as the site does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (settings.DATABASES["default"]["USER"],)
    assert site_role_is_bound(databases=["default"]) == []


def test_a_query_finds_the_rows_of_the_named_space_only(two):
    """Even an unfiltered one, or one by id: none where none is named; leaving an inner scope, also by an error, gives the outer one back."""
    (ada, own), (elsa, foreign) = two
    assert Conversation.objects.count() == 0
    with pytest.raises(ProgrammingError), transaction.atomic():
        begin_outside(ada)
    with space_scope(ada.space):
        with space_scope(elsa.space):
            assert Conversation.objects.get().pk == foreign.pk
        with pytest.raises(RuntimeError), space_scope(elsa.space):
            raise RuntimeError
        assert list(Conversation.objects.values_list("pk", flat=True)) == [own.pk]
        assert not Conversation.objects.filter(pk=foreign.pk).exists()
        assert Conversation.objects.filter(pk=foreign.pk).update(archived_at=NOW) == 0


def test_a_row_cannot_point_into_another_space(two):
    """A key across spaces is refused by the database."""
    (ada, _), (_, foreign) = two
    with pytest.raises(IntegrityError), space_scope(ada.space), unlocked(ada.space, ada.key):
        Message.objects.create(
            space_id=ada.space, conversation_id=foreign.pk, position=1, role="person", said_at=NOW
        )


def test_a_row_never_changes_its_space(two):
    """Moving a row to another space raises and writes nothing."""
    (ada, own), (elsa, _) = two
    with space_scope(ada.space):
        row = Conversation.objects.get(pk=own.pk)
        row.space_id = elsa.space
        with pytest.raises(ValueError, match="never changes its space"):
            row.save(update_fields=["archived_at"])


def test_every_space_table_is_under_forced_row_security():
    """The database says of each table of a space that its security is on, forced, and has the one rule."""
    tables = {
        model._meta.db_table for model in apps.get_models() if getattr(model, "belongs_to_space", False)
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity AND relkind = 'r'"
        )
        secured = {row[0] for row in cursor.fetchall()}
        cursor.execute("SELECT tablename, qual FROM pg_policies WHERE policyname = 'rows_of_the_space'")
        rules = dict(cursor.fetchall())
    assert tables == secured == set(rules)
    assert len(set(rules.values())) == 1 and "app.space" in next(iter(rules.values()))


def test_what_fails_in_a_nested_scope_takes_back_that_one_alone(two):
    """Whoever catches the error goes on with what was written before it, and writes on."""
    (ada, _), _ = two
    with space_scope(ada.space):
        begin(ada)
        with pytest.raises(IntegrityError), space_scope(ada.space):
            begin(ada)
            Message.objects.for_space(ada.space).model(space_id=ada.space, conversation_id=new_id()).save()
        begin(ada)
        assert Conversation.objects.for_space(ada.space).count() == 3


def test_the_lock_of_a_space_is_taken_once_and_stays_whatever_fails(two):
    """A writer within a writer of the same space takes no lock of its own; one of another space does, and so does the next writer."""
    (ada, _), (elsa, _) = two
    assert not _holds_lock(ada.space)
    with CaptureQueriesContext(connection) as queries, write_scope(ada.space):
        with write_scope(ada.space):
            begin(ada)
        with pytest.raises(IntegrityError), write_scope(ada.space):
            Message.objects.for_space(ada.space).model(space_id=ada.space, conversation_id=new_id()).save()
        assert len(_taken(queries)) == 1 and _holds_lock(ada.space)
        with write_scope(elsa.space), write_scope(elsa.space):
            assert len(_taken(queries)) == 2 and _holds_lock(elsa.space)
    with CaptureQueriesContext(connection) as later, write_scope(ada.space):
        pass
    assert len(_taken(later)) == 1


def _taken(queries):
    return [query["sql"] for query in queries if "pg_advisory_xact_lock" in query["sql"]]


def _holds_lock(space):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS(SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
            " AND (classid::bigint << 32 | objid::bigint) = hashtextextended(%s, 0))",
            [str(space)],
        )
        return cursor.fetchone()[0]
