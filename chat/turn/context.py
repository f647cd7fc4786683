"""The memory block of a prompt, in the document's form: memories, ledger, the student's world, their life now.

Everything in it is data: it is delimited, it says where each line comes from, and nothing remembered can close the
block or open another, since angle brackets are written out. It has a hard limit in tokens: whole lines are left out,
the least relevant memories first, then the world's, then those of their life, and what must not be lost (the ledger) last.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from chat.turn.notes import GOALS, GRATITUDE
from chat.turn.snapshot import Note
from companion_site.llm.fences import defuse
from companion_site.llm.tokens import count_tokens
from companion_site.shortening import shorten
from ledger.matching import Triggered
from ledger.models import LedgerEntry
from memory.models import MemoryNode
from memory.params import RECALL
from memory.reading.params import READING
from memory.student.recall.ranking import Recalled
from overlay.lines import OverlayLine

OPENING = "<COMPANION_MEMORY>"
CLOSING = "</COMPANION_MEMORY>"
MEMORIES = "Remembered:"
#: how they want to be spoken with and helped: said once, it goes along with every message
WISHES = "As they wish:"
LEDGER = "Critical facts:"
WORLD = "What this student has met of the world:"
UNSURE = "not sure"
OUTDATED = "outdated?"
#: of what another memory took the place of, with the day
FORMER = "was so until"
#: what was said just before a memory that points back at it
AFTER = "said after"
LINE_LENGTH = 500
#: The student wrote these themselves, so what they name of the world they have met.
WRITTEN_BY_THEM = frozenset({GOALS, GRATITUDE})
#: What somebody else observed is told as theirs, never as the student's own words.
SAID_BY: dict[str, str] = {
    MemoryNode.Trust.TEACHER: "A teacher observed: ",
    MemoryNode.Trust.SYSTEM: "A lesson recorded: ",
}


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is called to mind for one reply, from memory, ledger, overlay and life; each the most important first."""

    recalled: Sequence[Recalled] = ()
    entries: Sequence[Triggered] = ()
    concepts: Sequence[OverlayLine] = ()
    notes: Sequence[Note] = ()
    #: what the brief says already
    in_brief: Sequence[str] = ()

    @property
    def own_words(self) -> tuple[str, ...]:
        """What the student said themselves; what was made of memories may be put in words that are not theirs."""
        written = [note.quote for note in self.notes if note.heading in WRITTEN_BY_THEM]
        return (*(memory.text for memory in self.own if not memory.derived), *written)

    @property
    def told(self) -> tuple[str, ...]:
        """What came from the student and surely has to do with the message, as the companion without a model quotes it."""
        sure = [memory for memory in self.own if memory.bearing >= READING.quoted_unasked]
        ordered = sorted(sure, key=lambda memory: -memory.bearing)
        return tuple(line for memory in ordered for line in statements_of(memory))

    @property
    def unsure(self) -> tuple[str, ...]:
        """Those of `told` that are told with a doubt."""
        doubted = [memory for memory in self.own if is_unsure(memory) or memory.doubted_by is not None]
        return tuple(line for memory in doubted for line in statements_of(memory))

    def veiled(self, veil: Callable[[str], str]) -> "Context":
        """Return the same with every text gone over, for what the student has not met yet."""
        return replace(
            self,
            recalled=[
                replace(
                    memory,
                    text=veil(memory.text),
                    who=tuple(map(veil, memory.who)),
                    before=veil(memory.before),
                )
                for memory in self.recalled
            ],
            entries=[replace(entry, content=veil(entry.content)) for entry in self.entries],
            notes=[replace(note, quote=veil(note.quote)) for note in self.notes],
            in_brief=[veil(text) for text in self.in_brief],
        )

    def without(self, avoids: Callable[[str], bool]) -> "Context":
        """Return the same without anything that is about what the student does not want to speak of.

        A memory is judged by its own words, by whose meaning is known, and with who it names.
        """
        return replace(
            self,
            recalled=[
                replace(memory, before="" if avoids(memory.before) else memory.before)
                for memory in self.recalled
                if not (avoids(memory.text) or avoids(" ".join((memory.text, *memory.who))))
            ],
            entries=[entry for entry in self.entries if not avoids(entry.content)],
            concepts=[
                concept for concept in self.concepts if not avoids(concept.name) and not avoids(concept.notes)
            ],
            notes=[note for note in self.notes if not avoids(note.quote)],
        )

    def first(self, count: int) -> "Context":
        """Return the `count` things that matter most: the ledger, then their life, the world, memories."""
        after_ledger = max(count - len(self.entries), 0)
        after_life = max(after_ledger - len(self.notes), 0)
        after_world = max(after_life - len(self.concepts), 0)
        return replace(
            self,
            entries=self.entries[:count],
            notes=self.notes[:after_ledger],
            concepts=self.concepts[:after_life],
            recalled=self.recalled[:after_world],
        )

    def __len__(self) -> int:
        return len(self.entries) + len(self.notes) + len(self.concepts) + len(self.recalled)

    @property
    def own(self) -> list[Recalled]:
        """The memories that are the student's, not what somebody else observed."""
        return [memory for memory in self.recalled if memory.trust not in SAID_BY]


@dataclass(frozen=True)
class Written:
    """A block, and what stands in it."""

    text: str
    context: Context

    @property
    def tokens(self) -> int:
        """Of the block, by estimate; none for no block."""
        return count_tokens([self.text]) if self.text else 0

    @property
    def scores(self) -> Mapping[UUID, float]:
        """How relevant each memory in the block is."""
        return {memory.id: memory.score for memory in self.context.recalled}

    @property
    def terms(self) -> Mapping[UUID, Mapping[str, float]]:
        """What each of those scores is made of."""
        return {memory.id: memory.terms for memory in self.context.recalled}


def write_block(context: Context, *, tokens: int) -> Written:
    """Return the block within `tokens` by estimate, with whole lines only, and what of the context stands in it.

    A line that would not fit if it stood alone is left out before anything else is.
    """
    whole = Written(memory_block(context), context)
    if whole.tokens <= tokens:
        return whole
    fitting = Context(
        in_brief=context.in_brief,
        entries=[one for one in context.entries if _tokens(Context(entries=[one])) <= tokens],
        notes=[one for one in context.notes if _tokens(Context(notes=[one])) <= tokens],
        concepts=[one for one in context.concepts if _tokens(Context(concepts=[one])) <= tokens],
        recalled=[one for one in context.recalled if _tokens(Context(recalled=[one])) <= tokens],
    )
    counts = range(1, len(fitting) + 1)
    kept = fitting.first(bisect_right(counts, tokens, key=lambda count: _tokens(fitting.first(count))))
    return Written(memory_block(kept), kept)


def memory_block(context: Context) -> str:
    """Return the whole block for a prompt, best first; an empty string where nothing was called to mind."""
    parts: dict[str, list[str]] = {WISHES: [], MEMORIES: memory_lines(context), LEDGER: [], WORLD: []}
    for entry in context.entries:
        told = f"{SAID_BY.get(entry.trust, '')}{in_marks(entry.content)}"
        if entry.category == LedgerEntry.Category.INSTRUCTION:
            parts[WISHES].append(f"- {told}")
        else:
            parts[LEDGER].append(f"- [{entry.category}] {told}")
    for concept in context.concepts:
        note = f" {in_marks(concept.notes)}" if concept.notes else ""
        known = f"[familiarity={concept.familiarity:.1f}, attitude={concept.attitude:+.1f}]"
        parts[WORLD].append(f"- {quoted(concept.name)}{note} {known}")
    # What of their life is open is told by a memory's words, and is as doubtful as that.
    outdated = [words for memory in context.recalled if memory.outdated_by for words in statements_of(memory)]
    for line in context.notes:
        quote = in_marks(line.quote) if line.quote else ""
        doubt = f"[{OUTDATED}]" if any(words in line.quote for words in outdated if words) else ""
        parts.setdefault(line.heading, []).append("- " + " ".join(filter(None, (quote, line.words, doubt))))
    written = ["\n".join([heading, *lines]) for heading, lines in parts.items() if lines]
    return "\n".join([OPENING, "\n\n".join(written), CLOSING]) if written else ""


def memory_lines(context: Context) -> list[str]:
    """Return the memories, each on a line of its own under the day it was said: the day of the most relevant first.

    What the block says elsewhere, what another line says word for word, who somebody is and what was said before, is not told again.
    """
    told = [entry.content for entry in context.entries] + [note.quote for note in context.notes]
    told += context.in_brief
    days: dict[str, list[str]] = {}
    known = {line for memory in context.recalled for line in statements_of(memory)}
    for memory in context.recalled:
        if not all(any(words in text for text in told) for words in statements_of(memory)):
            told += statements_of(memory)
            who = tuple(one for one in memory.who if one not in known)
            known.update(who)
            before = "" if memory.before in known else memory.before
            known.add(before)
            line = memory_line(replace(memory, who=who, before=before))
            days.setdefault(_day(memory.said_at), []).append(line)
    return [line for day, lines in days.items() for line in (f"{day}:", *lines)]


def memory_line(memory: Recalled) -> str:
    """Return a memory as a line: the words, each statement in marks of its own, who it names, what it points back at, and its doubt."""
    words = " ".join(in_marks(statement) for statement in statements_of(memory))
    before = f"{AFTER} {in_marks(memory.before)}" if memory.before else ""
    notes = [*map(quoted, memory.who), *filter(None, [before, label(memory)])]
    return f"- {SAID_BY.get(memory.trust, '')}{words}" + "".join(f" [{note}]" for note in notes)


def label(memory: Recalled) -> str:
    """Return the doubt with which a memory is told, or until when it was so; "" for neither."""
    if memory.until is not None:
        return f"{FORMER} {_day(memory.until)}"
    if memory.outdated_by is not None:
        return OUTDATED
    return UNSURE if is_unsure(memory) else ""


def _day(at: float) -> str:
    return f"{datetime.fromtimestamp(at, timezone.get_current_timezone()):%Y-%m-%d}"


def is_unsure(memory: Recalled) -> bool:
    """Return whether the person was not sure of it."""
    return memory.confidence < RECALL.sure


def statements_of(memory: Recalled) -> list[str]:
    """Return the statements of a memory: what was made of others holds one a line, anything else is one."""
    lines = memory.text.splitlines() if memory.derived else [memory.text]
    return [line for line in lines if line.strip()] or [""]


def quoted(text: str) -> str:
    """Return remembered text as one harmless line."""
    line = defuse(shorten(text, LINE_LENGTH))
    return line.replace("<", "&lt;").replace(">", "&gt;").replace("“", '"').replace("”", '"')


def in_marks(text: str) -> str:
    """Return remembered text as one harmless line in quotation marks, none of which stand in it; straight ones cost a third."""
    marked = quoted(text).replace('"', "'")
    return f'"{marked}"'


def _tokens(context: Context) -> int:
    return Written(memory_block(context), context).tokens
