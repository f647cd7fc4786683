"""A shared snapshot as a page lays it out: the same words in the same order, with its lists as lists."""

from dataclasses import dataclass

ITEM = "- "


@dataclass(frozen=True)
class Block:
    """What stands between two empty lines: some lines, and the items listed below them."""

    lines: list[str]
    items: list[str]


def lay_out(text: str) -> list[Block]:
    """Return the blocks of a snapshot's text, in order. A line below an item that is none itself belongs to the item."""
    return [_read_block(block.splitlines()) for block in text.split("\n\n") if block.strip()]


def _read_block(lines: list[str]) -> Block:
    first = next((row for row, line in enumerate(lines) if line.startswith(ITEM)), len(lines))
    items: list[str] = []
    for line in lines[first:]:
        if line.startswith(ITEM):
            items.append(line.removeprefix(ITEM))
        else:
            items[-1] += f"\n{line}"
    return Block(lines[:first], items)
