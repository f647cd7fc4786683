"""Which nodes go into a pack, as it is said in one line: "all", "domain:python", "path:skill.python, type:skill"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput

KINDS = ("domain", "path", "type")
MOST_CHARS = 1_000


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
            and (not self.paths or any(_is_at(node["id"], path) for path in self.paths))
            and (not self.types or node["type"] in self.types)
        )


def parse_selection(text: str) -> Selection:
    """Return what a line selects. Parts of one kind add to one another, kinds narrow.

    Raises:
        BadSelection: a part is none.
    """
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


def _is_at(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}.")
