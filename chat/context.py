"""The memory block of a prompt, in the document's form: memories, ledger, the student's world.

Everything in it is data: it is delimited, it says where each line comes from, and nothing remembered can close the
block or open another, since angle brackets are written out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ledger.matching import Triggered
from memory.models import MemoryNode
from memory.recall import Recalled
from overlay.lines import OverlayLine

OPENING = "<COMPANION_MEMORY>"
CLOSING = "</COMPANION_MEMORY>"
MEMORIES = "You remember about this student:"
LEDGER = "Critical facts (ledger):"
WORLD = "What this student has met of the world:"
LINE_LENGTH = 500
#: What somebody else observed is told as theirs, never as the student's own words.
SAID_BY: dict[str, str] = {
    MemoryNode.Trust.TEACHER: "A teacher observed: ",
    MemoryNode.Trust.SYSTEM: "A lesson recorded: ",
}


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is called to mind for one reply, from memory, ledger and overlay."""

    recalled: Sequence[Recalled] = ()
    entries: Sequence[Triggered] = ()
    concepts: Sequence[OverlayLine] = ()

    @property
    def own_words(self) -> tuple[str, ...]:
        """What the student said themselves, as the companion without a model quotes it."""
        return tuple(memory.text for memory in self.recalled if memory.trust not in SAID_BY)

    def veiled(self, veil: Callable[[str], str]) -> "Context":
        """Return the same with every text gone over, for what the student has not met yet."""
        return Context(
            recalled=[replace(memory, text=veil(memory.text)) for memory in self.recalled],
            entries=[replace(entry, content=veil(entry.content)) for entry in self.entries],
            concepts=self.concepts,
        )


def memory_block(context: Context) -> str:
    """Return the block for a prompt, best first; an empty string where nothing was called to mind."""
    written_down = {entry.content for entry in context.entries}
    memories = [memory_line(memory) for memory in context.recalled if memory.text not in written_down]
    parts = [
        (MEMORIES, memories),
        (LEDGER, [entry_line(entry) for entry in context.entries]),
        (WORLD, [concept_line(concept) for concept in context.concepts]),
    ]
    written = ["\n".join([heading, *lines]) for heading, lines in parts if lines]
    return "\n".join([OPENING, "\n\n".join(written), CLOSING]) if written else ""


def memory_line(memory: Recalled) -> str:
    """Return a memory as a line: the words, and what stands behind them."""
    return f"- {_told(memory.text, memory.trust)} [{label(memory)}]"


def entry_line(entry: Triggered) -> str:
    """Return a ledger entry as a line: its category, and its words."""
    return f"- [{entry.category}] {_told(entry.content, entry.trust)}"


def concept_line(concept: OverlayLine) -> str:
    """Return a concept that the student knows as a line: how well, how they like it, their note on it."""
    note = f" “{quoted(concept.notes)}”" if concept.notes else ""
    return (
        f"- {quoted(concept.name)}{note} "
        f"[familiarity={concept.familiarity:.1f}, attitude={concept.attitude:+.1f}]"
    )


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


def _told(text: str, trust: str) -> str:
    """Return the words with who said them: the student's own stand in quotation marks."""
    return f"{SAID_BY.get(trust, '')}“{quoted(text)}”"
