"""The memory block of a prompt, in the document's form.

Everything in it is data: it is delimited, it says where each memory comes from, and nothing remembered can close the
block or open another, since angle brackets are written out.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from memory.recall import Recalled

OPENING = "<COMPANION_MEMORY>"
CLOSING = "</COMPANION_MEMORY>"
LINE_LENGTH = 500


def memory_block(recalled: Sequence[Recalled]) -> str:
    """Return the block for a prompt, best memory first; an empty string where nothing was recalled."""
    if not recalled:
        return ""
    lines = [f"- “{quoted(memory.text)}” [{label(memory)}]" for memory in recalled]
    return "\n".join([OPENING, "You remember about this student, in their own words:", *lines, CLOSING])


def label(memory: Recalled) -> str:
    """Return what stands behind a memory: events carry their day, everything else its gravity."""
    if memory.modality == "episodic":
        return f"episodic, {datetime.fromtimestamp(memory.said_at, UTC):%Y-%m-%d}"
    return f"{memory.modality}, gravity={memory.gravity:.1f}"


def quoted(text: str) -> str:
    """Return remembered text as one harmless line."""
    line = " ".join(text.split())
    if len(line) > LINE_LENGTH:
        line = line[:LINE_LENGTH].rsplit(" ", 1)[0] + "…"
    return line.replace("<", "&lt;").replace(">", "&gt;").replace("“", '"').replace("”", '"')
