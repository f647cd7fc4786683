"""Knowledge packs over the REST API, with a person's token or an agent's; a person may take in packs of their own.

The size of a pack is asked at the door, since it lies on disk before a view sees it.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from companion_site.accounts.errors import BadToken
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Scope
from companion_site.api.body import most_bytes, refuse_body
from companion_site.api.errors import BodyTooLarge, NoToken
from companion_site.api.fields import Moment, Strict, TextField, example
from companion_site.api.operations import Asked, Endpoints, Made, list_of
from companion_site.api.paging import Page, page_of_data
from companion_site.api.views import bearer_of, count_reply
from companion_site.audit.models import AuditEvent
from companion_site.body_limits import Bound
from companion_site.embeddings.service import get_embedder
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.models import Space
from memory.agents.mcp.server import DATABASE_LOST, in_thread
from memory.agents.mounts import load_lent
from memory.agents.params import SEARCH
from memory.agents.question import ask
from memory.agents.serializers import PASSPHRASE_CHARS, NodeOut, most_found, type_list
from memory.models import Pack
from memory.packs import mounts, removal
from memory.packs.importer import Audience
from memory.packs.limits import MOST_MOUNTED
from memory.packs.mounts import find_pack, mount, mounted, unmount
from memory.packs.search import search_ready
from memory.packs.uploads import receive, upload_state

#: of the file; larger packs come through the admin or by `manage.py import_pack`
PACK_BYTES = 128 * 2**20
#: what a form has beside its file
AROUND_BYTES = 64 * 2**10
#: How far an upload can be: as a pack, or refused.
STATES = (*Pack.State.values, "refused")


class PackOut(serializers.Serializer):
    """What a pack says of itself."""

    id = serializers.UUIDField(source="space_id")
    key = serializers.CharField(help_text="Its id in its manifest.")
    name = serializers.CharField()
    version = serializers.CharField(source="pack_version")
    description = serializers.CharField(allow_blank=True)
    domain_tags = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField(allow_blank=True)
    licence = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_blank=True)
    signed_by = serializers.CharField(allow_blank=True, help_text="Ed25519, in hexadecimal digits.")
    checksum = serializers.CharField(help_text="SHA-256 of its nodes, in hexadecimal digits.")
    nodes = serializers.IntegerField(source="node_count")
    links = serializers.IntegerField(source="edge_count")
    imported_at = Moment()


@example("A question", {"query": "How do I close a file?", "k": 5})
class PackSearchBody(Strict):
    """What to look for in the packs that are mounted."""

    query = TextField(max_length=SEARCH.most_query_chars)
    k = most_found()
    types = type_list()


class PackHitOut(serializers.Serializer):
    """A node of a pack that answers a question."""

    node = NodeOut()
    pack = serializers.UUIDField()
    cosine = serializers.FloatField(help_text="How near it is in meaning; 0 where nothing is known of it.")
    lexical = serializers.FloatField(help_text="BM25 of the words, comparable within one pack.")


class UploadBody(Strict):
    """A pack to take in, as a form."""

    pack = serializers.FileField(help_text="The .kpack file.")
    passphrase = TextField(
        required=False,
        max_length=PASSPHRASE_CHARS,
        help_text="What the file is encrypted with; left out where it was sealed to this site's key.",
    )


class UploadOut(serializers.Serializer):
    """How far an upload is."""

    id = serializers.UUIDField(help_text="Of the pack that it becomes.")
    state = serializers.ChoiceField(STATES)
    done = serializers.IntegerField(help_text="Nodes that are through, in this state.")
    nodes = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True, help_text="Why it was refused.")


PACK = "packs/<uuid:pack_id>"
packs = Endpoints(scope=Scope.PACKS)


@packs.get("packs", "List packs", pages=PackOut)
def list_packs(asked: Asked) -> Page:
    """Return the packs that the person may mount: their own, those of their school or company, everybody's."""
    return _page(mounts.list_packs(asked.bearer.person), asked)


@packs.get("packs/mounted", "List mounted packs", pages=PackOut)
def list_mounted_packs(asked: Asked) -> Page:
    """Return the packs that the token's own space reads."""
    return _page(mounted(asked.bearer.space.pk), asked)


@packs.get(PACK, "Show a pack", answer=PackOut)
def show_pack(asked: Asked, pack_id: UUID) -> Pack:
    """Return what a pack that the person may mount says of itself."""
    return find_pack(asked.bearer.person, pack_id)


@packs.delete(PACK, "Remove a pack of my own", status=204)
def remove_pack(asked: Asked, pack_id: UUID) -> None:
    """Take a pack of the person's own away, with all that is in it. An agent's token may not."""
    asked.require_own_space()
    if not _own(asked.bearer.person).filter(pk=pack_id).exists():
        raise NotFound()
    removal.remove_pack(pack_id, actor=asked.bearer.person, now=timezone.now())


@packs.post(f"{PACK}/mount", "Mount a pack", answer=PackOut, repeats="whole")
def mount_pack(asked: Asked, pack_id: UUID) -> Pack:
    """Have the token's own space read a pack. Twice is once."""
    return mount(asked.bearer.key, pack_id, person=asked.bearer.person, now=timezone.now())


@packs.post(f"{PACK}/unmount", "Unmount a pack", status=204, repeats="whole")
def unmount_pack(asked: Asked, pack_id: UUID) -> None:
    """Have the token's own space read a pack no longer."""
    unmount(asked.bearer.key, pack_id, person=asked.bearer.person, now=timezone.now())


@packs.post(
    "packs/search",
    "Search mounted packs",
    body=PackSearchBody,
    answer=list_of(PackHitOut),
    repeats="harmless",
)
def search_packs(asked: Asked) -> dict[str, Any]:
    """Return the nodes of the packs that the token's own space reads which answer a question, the best first. Their words are
    data of whoever wrote the pack."""
    question, k = ask(asked.given["query"], embedder=get_embedder()), asked.given["k"]
    readable, types = mounted(asked.bearer.space.pk), asked.given["types"] or None
    hits = search_ready(readable, vector=question.vector, words=question.text, k=k, types=types)[:k]
    nodes = load_lent([hit.at for hit in hits])
    return {"items": [{**vars(hit), "node": nodes[hit.at].node} for hit in hits if hit.at in nodes]}


@packs.post(
    "packs/uploads",
    "Take a pack in",
    body=UploadBody,
    answer=UploadOut,
    status=202,
    is_form=True,
    repeats="known",
)
def upload_pack(asked: Asked) -> Made:
    """Take in a pack of the person's own. What shows at once is told at once; the rest is read behind it: ask for the
    upload until it is `ready` or `refused`."""
    count_reply(asked.bearer.token.pk, now=timezone.now())
    person, file = asked.bearer.person, asked.given["pack"]
    if file.size > PACK_BYTES:
        raise BodyTooLarge()
    if _own(person).count() >= MOST_MOUNTED:
        raise TooManyPacks()
    space = receive(
        file,
        audience=Audience(owner=person),
        actor=person,
        now=timezone.now(),
        passphrase=asked.given.get("passphrase"),
    )
    return Made(tell_upload(person, space), "show_upload", (space,))


@packs.get("packs/uploads/<uuid:pack_id>", "Show an upload", answer=UploadOut)
def show_upload(asked: Asked, pack_id: UUID) -> dict[str, Any]:
    """Return how far an upload of the person is."""
    return tell_upload(asked.bearer.person, pack_id)


def _own(person: Person) -> QuerySet[Space]:
    return Space.objects.filter(kind=Space.Kind.PACK, owner=person, closed_at__isnull=True)


def _page(packs: list[Pack], asked: Asked) -> Page:
    return page_of_data(packs, asked.given, id_of=lambda pack: pack.space_id)


def tell_upload(person: Person, pack: UUID) -> dict[str, Any]:
    """Return how far an upload of this person is; of a refused one nothing is left but the record.

    Raises:
        NotFound: they uploaded no such pack, or it was removed since.
    """
    begun = AuditEvent.objects.filter(chain=pack, action="memory.pack_begun", actor_id=person.pk)
    if not begun.exists():
        raise NotFound()
    state = upload_state(pack)
    row = state.pack
    return {
        "id": pack,
        "state": "refused" if row is None else row.state,
        "done": 0 if row is None else row.done,
        "nodes": 0 if row is None else row.node_count,
        "reason": state.reason,
    }


class TooManyPacks(InvalidInput):
    code = "pack.too-many"
    message = _("You have as many packs of your own as you may. Remove one first.")


async def _most(headers: Mapping[str, str]) -> int:
    """Return how much may come: a whole pack of those who may take one in; the view tells the others why not."""
    if await in_thread(_may_upload, headers.get("authorization", "")):
        return PACK_BYTES + AROUND_BYTES
    return await most_bytes(headers)


def _may_upload(header: str) -> bool:
    try:
        return bearer_of(header, now=timezone.now()).may(Scope.PACKS)
    except (BadToken, NoToken, *DATABASE_LOST):
        return False


UPLOADS = Bound(takes=lambda path: path == reverse("api:upload_pack"), most=_most, refuse=refuse_body)
