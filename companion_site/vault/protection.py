"""What each database role may do, derived from the models and put in place after every migration.

Three roles: the owner migrates; the site works, one space at a time; the metadata role reads what is readable
without a key in the rows of all spaces, for the admin's lists, and no other table. None of the last two owns a table
or bypasses row-level security.
"""

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.db import connections, models

#: What the site may do with the rows of a model that does not say less in `site_may`.
EVERYTHING = ("SELECT", "INSERT", "UPDATE", "DELETE")


def protect_after_migrate(sender, using, **kwargs) -> None:
    """Apply the rules once per migration run, as the owner."""
    if sender.label == "vault" and using == "owner":
        with connections[using].cursor() as cursor:
            for statement in protection_statements():
                cursor.execute(statement)


def protection_statements() -> Iterator[str]:
    """Yield the SQL that gives each role what it needs and no more; running it twice changes nothing."""
    site, metadata = (settings.DATABASES[alias]["USER"] for alias in ("default", "metadata"))
    yield f'GRANT USAGE ON SCHEMA public TO "{site}", "{metadata}"'
    yield f'GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO "{site}"'
    yield f'GRANT SELECT ON django_migrations TO "{site}"'
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed or model._meta.proxy:
            continue
        yield from _table_rules(model, site, metadata)


def _table_rules(model: type[models.Model], site: str, metadata: str) -> Iterator[str]:
    table = f'"{model._meta.db_table}"'
    verbs = ", ".join(getattr(model, "site_may", EVERYTHING))
    yield f'REVOKE ALL ON {table} FROM "{site}", "{metadata}"'
    yield f'GRANT {verbs} ON {table} TO "{site}"'
    if getattr(model, "belongs_to_space", False):
        columns = ", ".join(
            f'"{field.column}"' for field in model._meta.concrete_fields if is_metadata(field)
        )
        yield f'GRANT SELECT ({columns}) ON {table} TO "{metadata}"'
        yield from _row_rules(table, site, metadata)


def _row_rules(table: str, site: str, metadata: str) -> Iterator[str]:
    named_space = "space_id = NULLIF(current_setting('app.space', true), '')::uuid"
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    yield f"DROP POLICY IF EXISTS rows_of_the_space ON {table}"
    yield f'CREATE POLICY rows_of_the_space ON {table} TO "{site}" USING ({named_space})'
    yield f"DROP POLICY IF EXISTS metadata_of_all ON {table}"
    yield f'CREATE POLICY metadata_of_all ON {table} FOR SELECT TO "{metadata}" USING (true)'


def is_metadata(field: models.Field) -> bool:
    """Tell whether a space's column is readable without a key."""
    return not isinstance(field, models.BinaryField) and not getattr(field, "holds_content", False)
