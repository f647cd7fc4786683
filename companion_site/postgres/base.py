"""Django's PostgreSQL backend with the five differences that rows of a space need.

`COUNT` over a join may not be grouped by the primary key alone once a table is distributed by space, a foreign key
inside a space is made of two columns, so is its index, such a key is checked at once, and made after the unique
constraint of two columns that it leads to.
"""

from django.db.backends.ddl_references import Columns
from django.db.backends.postgresql import base, features, schema


class DatabaseFeatures(features.DatabaseFeatures):
    def allows_group_by_selected_pks_on_model(self, model):
        return not getattr(model, "belongs_to_space", False)


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    sql_create_column_inline_fk = None  # type: ignore[assignment]  # every key is made by _create_fk_sql below

    def __exit__(self, exc_type, exc_value, traceback):
        self.deferred_sql.sort(key=_makes_key)
        super().__exit__(exc_type, exc_value, traceback)

    def _field_indexes_sql(self, model, field):
        """Let the index of a key begin with the space, in which all its look-ups are made."""
        # By the field's name: models as migrations know them have no base class.
        space = next((one for one in model._meta.local_fields if one.name == "space"), None)
        if space is None or not field.is_relation or not field.db_index:
            return super()._field_indexes_sql(model, field)  # type: ignore[misc]
        return [self._create_index_sql(model, fields=[space, field])]  # type: ignore[attr-defined]

    def _create_fk_sql(self, model, field, suffix):
        statement = super()._create_fk_sql(model, field, suffix)  # type: ignore[misc]
        if getattr(field, "spans_space", False):
            target = field.target_field
            for part, table, column in (
                ("column", model._meta.db_table, field.column),
                ("to_column", target.model._meta.db_table, target.column),
            ):
                statement.parts[part] = Columns(table, ["space_id", column], self.quote_name)
        if field.attname == "space_id" or getattr(field, "spans_space", False):
            # A deferred violation would only surface at commit, where a distributed database hides its cause.
            statement.parts["deferrable"] = ""
        return statement


def _makes_key(statement):
    return " FOREIGN KEY " in str(statement)


class DatabaseWrapper(base.DatabaseWrapper):
    SchemaEditorClass = DatabaseSchemaEditor
    features_class = DatabaseFeatures


class OwnerMigrates:
    def allow_migrate(self, db, app_label, **hints):
        return db == "owner"

    def allow_relation(self, obj1, obj2, **hints):
        # Three roles of one database, not three databases.
        return True
