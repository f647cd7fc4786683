"""What an agent is told of itself: who it is, which persona it takes, its domains, what always binds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.nodes import PATH_CHARS, clean_line, clean_tags, clean_text

NAME_CHARS, TEXT_CHARS = 100, 4_000


@dataclass(frozen=True, kw_only=True)
class Profile:
    """An agent's profile, as its row seals it.

    Attributes:
        persona: the path of a persona node, or the persona's name; "" for none.
        domain_tags: what it works on: the tags by which packs stand in and coverage is counted.
    """

    identity: str = ""
    persona: str = ""
    domain_tags: Sequence[str] = ()
    constraints: str = ""


def clean_profile(raw: Mapping[str, Any]) -> Profile:
    """Return a profile as it may be kept. Raises NodeInvalid: what is wrong with it first."""
    return Profile(
        identity=clean_text(raw.get("identity"), field="identity", most=TEXT_CHARS),
        persona=clean_text(raw.get("persona"), field="persona", most=PATH_CHARS),
        domain_tags=clean_tags(raw.get("domain_tags"), field="domain_tags"),
        constraints=clean_text(raw.get("constraints"), field="constraints", most=TEXT_CHARS),
    )


def clean_name(raw: object) -> str:
    """Return an agent's name on one line."""
    return clean_line(raw, field="name", most=NAME_CHARS)
