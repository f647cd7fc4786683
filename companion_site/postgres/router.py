"""Which connection migrates: the owner's, never the site's."""


class OwnerMigrates:
    def allow_migrate(self, db, app_label, **hints):
        return db == "owner"

    def allow_relation(self, obj1, obj2, **hints):
        # Three roles of one database, not three databases.
        return True
