"""Giving nodes out as a pack: which, as it is said in one line ("all", "domain:python", "path:skill.python, type:skill"), and a pack that is here once more."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode, PackVector
from memory.packs.contents import load_nodes
from memory.packs.format import write_pack
from memory.packs.manifest import SAID, Manifest, describe
from memory.packs.signatures import site_signer

KINDS = ("domain", "path", "type")
MOST_CHARS = 1_000
BATCH = 500


class BadSelection(InvalidInput):
    code = "pack.selection"
    message = _("A selection is “all”, or parts such as “domain:python, path:skill.python, type:skill”.")


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Nodes with one of the tags, below or at one of the paths, of one of the types; what is empty asks nothing."""

    domains: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    types: frozenset[str] = frozenset()

    def takes(self, node: Mapping[str, Any]) -> bool:
        """Tell whether a wire node is among them."""
        return (
            (not self.domains or not self.domains.isdisjoint(node["tags"]))
            and (not self.paths or any(f"{node['id']}.".startswith(f"{path}.") for path in self.paths))
            and (not self.types or node["type"] in self.types)
        )


def parse_selection(text: str) -> Selection:
    """Return what a line selects. Parts of one kind add to one another, kinds narrow. Raises BadSelection: a part is none."""
    if text.strip() == "all":
        return Selection()
    said: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for part in text[: MOST_CHARS + 1].split(","):
        kind, colon, value = part.strip().partition(":")
        if not colon or kind not in said or not value.strip() or len(text) > MOST_CHARS:
            raise BadSelection()
        said[kind].append(value.strip().lower())
    return Selection(
        domains=frozenset(said["domain"]), paths=tuple(said["path"]), types=frozenset(said["type"])
    )


def export_pack(
    pack: UUID,
    stream: BinaryIO,
    *,
    now: datetime,
    passphrase: str | None = None,
    public_key: bytes | None = None,
) -> Manifest:
    """Write a pack that is here once more, signed by this site; return its manifest. Vectors go along where every node has one.

    Raises:
        NotFound: there is none, or it is not ready.
    """
    with space_scope(pack, reading=True):
        row = Pack.objects.for_space(pack).find(state=Pack.State.READY)
        model = _whole_model(row)
    vectors = {"embedding_model": model[0], "dimension": model[1]} if model else {}
    said = {name: getattr(row, name) for name in SAID}
    manifest = describe(id=row.key, version=row.pack_version, now=now, **said, **vectors)
    nodes = _PackNodes(row, manifest.embedding_model)
    return write_pack(
        stream, manifest, nodes, passphrase=passphrase, public_key=public_key, signer=site_signer()
    )


class _PackNodes(Iterable[dict[str, Any]]):
    """The nodes of a pack, some at a time, as often as they are asked for."""

    def __init__(self, pack: Pack, model: str | None) -> None:
        self._pack, self._model = pack, model

    def __iter__(self) -> Iterator[dict[str, Any]]:
        space = self._pack.space_id
        for start in range(0, self._pack.node_count, BATCH):
            positions = range(start, min(start + BATCH, self._pack.node_count))
            vectors = self._vectors(space, start)
            for position, node in zip(positions, load_nodes(space, positions), strict=True):
                if self._model is not None:
                    node["embeddings"] = {"model": self._model, "vector": vectors[position]}
                yield node

    def _vectors(self, space: UUID, start: int) -> Mapping[int, Any]:
        with space_scope(space, reading=True):
            nodes = PackNode.objects.for_space(space).filter(position__range=(start, start + BATCH - 1))
            rows = PackVector.objects.for_space(space).filter(model=self._model, node__in=nodes)
            return dict(rows.values_list("node__position", "embedding"))


def _whole_model(pack: Pack) -> tuple[str, int] | None:
    """Return a model, with its dimension, of which every node has a vector; while models change, some nodes lack one."""
    rows = PackVector.objects.for_space(pack.space_id).order_by().values_list("model", "dimension")
    whole = rows.annotate(nodes=Count("id")).filter(nodes=pack.node_count).order_by("-model")
    return next(((model, dimension) for model, dimension, _ in whole), None)
