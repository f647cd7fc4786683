"""`manage.py index_packs`: make the index that packs are searched through, for the embedding model of this site."""

from django.core.management.base import BaseCommand, CommandError

from companion_site.embeddings.service import get_embedder
from memory.packs.vectors import index_model, list_indexes


class Command(BaseCommand):
    help = (
        "Make the vector index of this site's embedding model, where it has none. Works while the site runs."
    )

    def handle(self, *args, **options):
        embedder = get_embedder()
        try:
            made = index_model(embedder)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{embedder.model}: {f'{made} made' if made else 'there already'}.")
        for name, model, whole in list_indexes():
            self.stdout.write(f"{name}: {model}{'' if whole else ' (unfinished)'}")
