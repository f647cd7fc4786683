"""Where something stands in a text."""

from dataclasses import dataclass, field

from companion_site.llm.scrubbing.kinds import Kind


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a text that holds personal data.

    Attributes:
        start, end: in characters, the end excluded.
        value: the same for every way to write the same value; never shown.
    """

    kind: Kind
    start: int
    end: int
    value: str = field(repr=False)
