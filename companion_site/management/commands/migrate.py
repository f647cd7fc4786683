"""`manage.py migrate`, as the owner of the tables: the site's own role may not change them."""

from django.core.management.commands.migrate import Command as MigrateCommand


class Command(MigrateCommand):
    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.set_defaults(database="owner")
