"""Where something stands in a text."""

from dataclasses import dataclass, field

from companion_site.llm.scrubbing.kinds import Kind

#: Where a number begins behind another one: a comma or a slash parts two of a list when what stands before is longer
#: than the whole part of a decimal, by itself or as the last group of several.
NEXT_IN_LIST = "|".join([r"(?<=\d{6}[,/])", *(rf"(?<=\d[ +-]\d{{{count}}}[,/])" for count in (2, 3, 4))])


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
