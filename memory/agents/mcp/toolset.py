"""The seven tools: who may call them, what each takes and tells, in the serializers of REST, and which service of the memory answers it.

Packs go out and come in inside one answer and one request. Larger ones go by `manage.py`.
"""

import binascii
import dataclasses
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from companion_site.accounts.access import Access
from companion_site.accounts.tokens import Bearer, Scope, TokenAuthority, granted_to
from companion_site.api.fields import Strict, SwitchField, TextField
from companion_site.errors import NotFound
from companion_site.vault.grants import Grant
from memory.agents import serializers as forms
from memory.agents.agents import access_by_token
from memory.agents.context_store import save_context
from memory.agents.episodes import recall_context
from memory.agents.mcp import protocol
from memory.agents.mcp.errors import ArgumentsInvalid, MayNotImport, TokenMayNot
from memory.agents.mcp.protocol import PACK_BYTES, REQUEST_BYTES, UNPACKED_BYTES
from memory.agents.nodes import upsert_memory
from memory.agents.pack_export import export_nodes
from memory.agents.params import SEARCH
from memory.agents.search import nodes_of, search_memory
from memory.agents.snapshots import project_snapshot
from memory.nodes import NODES_A_CALL, NODES_AN_AGENT
from memory.packs.errors import PackRefused
from memory.packs.format import read_pack
from memory.packs.importer import Audience, import_pack, plan_pack
from memory.packs.limits import LIMITS
from memory.packs.mounts import mount

#: What comes in here is read in memory and becomes nodes of one agent.
OURS = dataclasses.replace(
    LIMITS, file_bytes=REQUEST_BYTES, unpacked_bytes=UNPACKED_BYTES, nodes=NODES_AN_AGENT
)


@dataclass(frozen=True)
class Caller:
    """A program that was let in. `authority`: the token; None where the call comes from this process itself."""

    access: Access
    scopes: frozenset[str]
    authority: TokenAuthority | None = None

    def granted(self) -> AbstractContextManager[Grant | None]:
        """Return what opens the program's grant for the length of a block; of what calls from this process itself there is none.

        It raises BadToken where the token was taken back meanwhile, or its person shut out; what was done last is not kept.
        """
        if self.authority is None:
            return nullcontext()
        return granted_to(self.authority)


def admit(bearer: Bearer) -> Caller:
    """Return who a token lets in. Raises TokenMayNot: it opens a space, but no agent's, or is not meant for this."""
    try:
        access = access_by_token(bearer)
    except NotFound:
        raise TokenMayNot(Scope.AGENT) from None
    if not bearer.may(Scope.AGENT):
        raise TokenMayNot(Scope.AGENT)
    return Caller(access, frozenset(bearer.token.scopes), bearer.authority)


Call = Callable[[Caller, dict[str, Any], datetime], dict[str, Any]]


class SearchFilters(Strict):
    """What a search is narrowed to."""

    types = forms.type_list()
    tags = forms.tag_list()
    ids = forms.paths(
        required=False,
        allow_null=True,
        max_length=NODES_A_CALL,
        help_text="These nodes of your own, by their paths; the query may then be empty.",
    )


class SearchArguments(Strict):
    """What you want to know."""

    query = TextField(
        default="", allow_blank=True, max_length=SEARCH.most_query_chars, help_text="In plain words."
    )
    k = forms.most_found()
    filters = SearchFilters(required=False)


class ExportArguments(forms.ExportBody):
    """Which nodes are given out, and how."""

    out = TextField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=200,
        help_text="What the file is to be called; it is not written on the server.",
    )


class ImportArguments(Strict):
    """A pack to take in."""

    pack = TextField(allow_blank=True, help_text="The .kpack file as base64.")
    passphrase = TextField(max_length=forms.PASSPHRASE_CHARS, help_text="What the pack is encrypted with.")
    mount = SwitchField(
        default=False,
        help_text="False: the nodes become memory of your own, sealed. True: an open pack that you read, for knowledge that "
        "is nobody's secret; needs a token for packs.",
    )


class UnknownTool(NotFound):
    code = "mcp.unknown-tool"
    message = _("There is no such tool.")


@dataclass(frozen=True, kw_only=True)
class OfferedTool:
    """One tool.

    Attributes:
        reads: it changes nothing that is remembered.
        once: the same call made twice leaves what one would have left.
    """

    name: str
    title: str
    description: str
    takes: type[serializers.Serializer]
    call: Call
    reads: bool = False
    once: bool = False


#: The tools by their names, in the order in which they are listed.
TOOLS: dict[str, OfferedTool] = {}


def offer(
    name: str, title: str, description: str, *, takes: type[serializers.Serializer], **more: bool
) -> Callable[[Call], Call]:
    """Offer a function as a tool."""

    def add(call: Call) -> Call:
        TOOLS[name] = OfferedTool(
            name=name, title=title, description=description, takes=takes, call=call, **more
        )
        return call

    return add


@offer(
    protocol.PROJECT_SNAPSHOT,
    "Take a snapshot",
    "Keep an archive of everything remembered as it is now, which never changes. It stays in the memory; "
    "what you get is its id, its hash (the same state has the same) and what it holds, counted.",
    takes=forms.SnapshotBody,
    once=True,
)
def snapshot(caller: Caller, asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    kept = project_snapshot(caller.access, now=now, **asked)
    return {**forms.SnapshotOut(kept).data, "contexts": len(kept.archive["contexts"])}


@offer(
    protocol.IMPORT_ENCRYPTED,
    "Take a pack in",
    "Take in an encrypted pack (.kpack, as base64) of at most 3 MB: nodes of your own, or a pack that you "
    "read beside them. It is checked whole before anything is written.",
    takes=ImportArguments,
    once=True,
)
def import_encrypted(caller: Caller, given: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Take a pack in: into the agent's own sealed memory, or beside it as an open pack that it reads."""
    try:
        stream = BytesIO(b64decode(given["pack"], validate=True))
    except (binascii.Error, ValueError):
        raise PackRefused(why="unknown") from None
    if given["mount"]:
        return _mount(caller, stream, passphrase=given["passphrase"], now=now)
    pack = read_pack(stream, passphrase=given["passphrase"], limits=OURS)
    entries = list(pack.nodes)
    plan_pack(entries)
    nodes = [entry.content for entry in entries]
    done = upsert_memory(caller.access, nodes, now=now, most=NODES_AN_AGENT)._asdict()
    del done["ids"]
    return {"id": pack.manifest.id, "name": pack.manifest.name, "nodes": len(nodes), **done}


@offer(
    protocol.EXPORT_ENCRYPTED,
    "Give out a pack",
    "Get nodes of your own as an encrypted, signed pack (.kpack, as base64): a backup, or knowledge to share.",
    takes=ExportArguments,
    reads=True,
)
def export_encrypted(caller: Caller, asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Return nodes as a pack, encrypted and signed. Nothing is written here: a file's name goes back as it came."""
    stream, out = _Bounded(PACK_BYTES), asked.pop("out", None)
    written = export_nodes(caller.access, stream=stream, now=now, **asked)
    raw = stream.getvalue()
    return {
        "pack": b64encode(raw).decode(),
        "bytes": len(raw),
        "nodes": written.nodes,
        "links": written.links,
        "checksum": written.checksum,
        "out": out,
    }


@offer(
    protocol.SEARCH_MEMORY,
    "Search memory",
    "Find what is remembered about something, best first: your own nodes and those of the knowledge "
    "packs that you read. Ask before you begin a task, and whenever you do not know something.",
    takes=SearchArguments,
    reads=True,
)
def search(caller: Caller, asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    filters = asked.pop("filters", {})
    if (ids := filters.pop("ids", None)) is not None:
        if asked["query"] or any(filters.values()):
            raise ArgumentsInvalid({"filters.ids": ["It stands alone; leave out query, types and tags."]})
        found = nodes_of(caller.access, ids)
    else:
        found = search_memory(caller.access, **asked, **filters)
    return {"nodes": forms.NodeHitOut(found, many=True).data}


@offer(
    protocol.UPSERT_MEMORY,
    "Remember",
    "Remember nodes: concepts, skills, facts, snippets, patterns, and episodes (what was done and what "
    "came of it), with links to what they are about. A node that is there already is added to.",
    takes=forms.UpsertBody,
    once=True,
)
def upsert(caller: Caller, given: dict[str, Any], now: datetime) -> dict[str, Any]:
    return upsert_memory(caller.access, now=now, **given)._asdict()


@offer(
    protocol.RECALL_CONTEXT,
    "Recall what was done",
    "What happened before: the last episodes of a task, of a session, or of all, the newest first, and the "
    "frames that were saved with them. Ask when you take a task up again.",
    takes=forms.RecallBody,
    reads=True,
)
def recall(caller: Caller, asked: dict[str, Any], now: datetime) -> dict[str, Any]:
    return recall_context(caller.access, now=now, **asked)


@offer(
    protocol.SAVE_CONTEXT,
    "Save a context",
    "Keep the frames you worked from, or notes on a scratchpad, for a task; say whether they helped, once "
    "you know. Send it again under the same client_id when no answer came: it is kept once.",
    takes=forms.SaveBody,
)
def save(caller: Caller, given: dict[str, Any], now: datetime) -> dict[str, Any]:
    return forms.ContextOut(save_context(caller.access, now=now, **given)).data


def _mount(caller: Caller, stream: BytesIO, *, passphrase: str, now: datetime) -> dict[str, Any]:
    if Scope.PACKS not in caller.scopes:
        raise MayNotImport()
    person = caller.access.person
    audience = Audience(owner=person)
    pack = import_pack(stream, audience=audience, actor=person, passphrase=passphrase, now=now, limits=OURS)
    if pack.state == pack.State.READY:
        mount(caller.access.key, pack.space_id, person=person, now=now)
    return {
        "id": pack.key,
        "name": pack.name,
        "nodes": pack.node_count,
        "pack": str(pack.space_id),
        "state": pack.state,
    }


class _Bounded(BytesIO):
    """A file in memory of so many bytes at the most."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def write(self, part: Any, /) -> int:
        if self.tell() + len(part) > self._most:
            raise PackRefused(why="too-large")
        return super().write(part)
