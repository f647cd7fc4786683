"""`manage.py reembed`: take what is remembered over to this site's embedding model, while the site runs."""

from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.service import present_model
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.models import Space
from memory.reembedding.space import Pace, reembed
from memory.reembedding.tables import find_spaces, queue_space, read_progress


class Command(BaseCommand):
    help = (
        "Embed anew what another embedding model's vectors stand for: open spaces now, sealed ones with their next key. "
        "Stop it at any time and start it again: it goes on where it was."
    )

    def add_arguments(self, parser):
        parser.add_argument("--status", action="store_true", help="Only tell how far it is.")
        parser.add_argument("--space", type=UUID, help="Only this space.")

    def handle(self, *args, **options):
        self.model = present_model()
        if not options["status"]:
            self._work(options["space"])
        self._tell_progress()

    def _work(self, only: UUID | None) -> None:
        spaces = list(find_spaces(self.model)) if only is None else list(Space.objects.filter(pk=only))
        if only is not None and not spaces:
            raise CommandError(f"There is no space {only}.")
        for number, space in enumerate(spaces, 1):
            if space.sealed:
                queue_space(space, now=timezone.now())
            else:
                self._take_over(space, f"{number}/{len(spaces)} {space.get_kind_display()} {space.pk}")

    def _take_over(self, space: Space, title: str) -> None:
        done = 0

        def tell(count: int) -> None:
            nonlocal done
            done += count
            self.stdout.write(f"{title}: {done}")

        try:
            reembed(
                space.pk,
                key=OpenSpaceKey(space.pk),
                now=timezone.now(),
                pace=Pace(seconds=None, tell=tell),
            )
        except EmbeddingError as error:
            raise CommandError(f"{error} What was embedded so far stays; run this again.") from None

    def _tell_progress(self) -> None:
        self.stdout.write(f"Embedding model: {self.model}")
        for name, done, total in read_progress(self.model):
            share = f"{done / total:.0%}" if total else "-"
            self.stdout.write(f"{name}: {done} of {total} ({share})")
        waiting = [space.sealed for space in find_spaces(self.model)]
        sealed = sum(waiting)
        self.stdout.write(
            f"Spaces left: {len(waiting) - sealed} open, {sealed} sealed (each with its next key)"
        )
