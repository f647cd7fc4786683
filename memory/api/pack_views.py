"""Knowledge packs over the REST API, with a person's token or an agent's: parse, authorise, call a service, tell."""

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from rest_framework.parsers import MultiPartParser

from companion_site.accounts.tokens import Scope
from companion_site.api.body import FormAlone
from companion_site.api.errors import BodyTooLarge
from companion_site.api.operations import Asked, Made, operation, page_of
from companion_site.api.paging import Page, PageQuery, page_of_data
from companion_site.api.views import ApiView, count_reply
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.agents.question import ask
from memory.api import pack_forms as forms
from memory.api.pack_uploads import PACK_BYTES, check_room, require_owned, tell_upload
from memory.models import Pack
from memory.packs.contents import load_nodes
from memory.packs.crypto import site_private_key
from memory.packs.importer import Audience
from memory.packs.mounts import list_packs, may_mount, mount, mounted, unmount
from memory.packs.removal import remove_pack
from memory.packs.search import search_ready
from memory.packs.uploads import receive

pack_operation = partial(operation, scope=Scope.PACKS)


class Packs(ApiView):
    @pack_operation("packs_list", "List packs", query=PageQuery, answer=page_of(forms.PackOut))
    def get(self, asked: Asked) -> Page:
        """Return the packs that the person may mount: their own, those of their school or company, everybody's."""
        return _page(list_packs(asked.bearer.person), asked)


class MountedPacks(ApiView):
    @pack_operation("packs_mounted", "List mounted packs", query=PageQuery, answer=page_of(forms.PackOut))
    def get(self, asked: Asked) -> Page:
        """Return the packs that the token's own space reads."""
        return _page(mounted(asked.bearer.space.pk), asked)


class OnePack(ApiView):
    @pack_operation("packs_read", "Show a pack", answer=forms.PackOut, refuses=[404])
    def get(self, asked: Asked, pack_id: UUID) -> Pack:
        """Return what a pack that the person may mount says of itself."""
        return _find(asked, pack_id)

    @pack_operation("packs_remove", "Remove a pack of my own", status=204, refuses=[404])
    def delete(self, asked: Asked, pack_id: UUID) -> None:
        """Take a pack of the person's own away, with all that is in it. An agent's token may not."""
        asked.require_own_space()
        require_owned(asked.bearer.person, pack_id)
        remove_pack(pack_id, actor=asked.bearer.person, now=timezone.now())


class MountPack(ApiView):
    @pack_operation("packs_mount", "Mount a pack", answer=forms.PackOut, refuses=[404, 422], repeats="whole")
    def post(self, asked: Asked, pack_id: UUID) -> Pack:
        """Have the token's own space read a pack. Twice is once."""
        bearer = asked.bearer
        mount(bearer.key, pack_id, person=bearer.person, now=timezone.now())
        return _find(asked, pack_id)


class UnmountPack(ApiView):
    @pack_operation("packs_unmount", "Unmount a pack", status=204, refuses=[404], repeats="whole")
    def post(self, asked: Asked, pack_id: UUID) -> None:
        """Have the token's own space read a pack no longer."""
        bearer = asked.bearer
        unmount(bearer.key, pack_id, person=bearer.person, now=timezone.now())


class PackSearch(ApiView):
    @pack_operation(
        "packs_search", "Search mounted packs", body=forms.PackSearchBody, answer=forms.PackHitsOut
    )
    def post(self, asked: Asked) -> dict[str, Any]:
        """Return the nodes of the packs that the token's own space reads which answer a question, the best first."""
        question, k = ask(asked.given["query"], embedder=get_embedder()), asked.given["k"]
        packs, types = mounted(asked.bearer.space.pk), asked.given["types"] or None
        hits = search_ready(packs, vector=question.vector, words=question.text, k=k, types=types)[:k]
        nodes = {
            (pack.space_id, node["id"]): node
            for pack in packs
            for node in load_nodes(pack.space_id, [hit.position for hit in hits if hit.pack == pack.space_id])
        }
        found = [(hit, nodes.get((hit.pack, hit.path))) for hit in hits]
        return {"items": [{**vars(hit), "node": node} for hit, node in found if node is not None]}


class Uploads(ApiView):
    parser_classes: ClassVar[list[Any]] = [MultiPartParser]
    content_negotiation_class = FormAlone

    @pack_operation(
        "packs_upload", "Take a pack in", body=forms.UploadBody, answer=forms.UploadOut, status=202
    )
    def post(self, asked: Asked) -> Made:
        """Take in a pack of the person's own. What shows at once is told at once; the rest is read behind it: ask for the
        upload until it is `ready` or `refused`."""
        count_reply(asked.bearer.token.pk, now=timezone.now())
        person, file, passphrase = asked.bearer.person, asked.given["pack"], asked.given.get("passphrase")
        if file.size > PACK_BYTES:
            raise BodyTooLarge()
        check_room(person)
        space = receive(
            file,
            audience=Audience(owner=person),
            actor=person,
            now=timezone.now(),
            passphrase=passphrase,
            private_key=site_private_key() if passphrase is None else None,
        )
        return Made(tell_upload(person, space), "upload", (space,))


class OneUpload(ApiView):
    @pack_operation("uploads_read", "Show an upload", answer=forms.UploadOut, refuses=[404])
    def get(self, asked: Asked, pack_id: UUID) -> dict[str, Any]:
        """Return how far an upload of the person is."""
        return tell_upload(asked.bearer.person, pack_id)


def _page(packs: list[Pack], asked: Asked) -> Page:
    return page_of_data(packs, asked.given, id_of=lambda pack: pack.space_id)


def _find(asked: Asked, pack_id: UUID) -> Pack:
    if not may_mount(asked.bearer.person, pack_id):
        raise NotFound()
    with space_scope(pack_id, reading=True):
        pack = Pack.objects.for_space(pack_id).filter(state=Pack.State.READY).first()
    if pack is None:
        raise NotFound()
    return pack
