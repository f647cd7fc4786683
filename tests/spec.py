"""`python -m tests.spec`: every row of the specification with the tests that prove it, `@pytest.mark.spec("G3")`."""

import contextlib
import io
import sys
from collections import defaultdict

import pytest

ROWS = {
    "G1": "Nodes of five kinds and weighted edges of thirteen types",
    "G2": "A lossless ledger with triggers, revised and never edited",
    "G3": "How much a message holds decides how deeply it is taken in",
    "G4": "Memories form from messages, lessons, prompts and injected notes",
    "G5": "Compression: pruning noise, merging clusters, undoable",
    "G6": "When compression runs, and the hash it leaves in the audit",
    "G7": "Gravity fades with a half-life of a week down to a floor",
    "G8": "Contradictions are found, settled and kept as history",
    "G9": "The context a reply is given",
    "G10": "A world overlay with fog of war",
    "G11": "A student's space is sealed with the student's own key",
    "G12": "Wellbeing seen from metadata alone",
    "G13": "Students see, review and tidy their own graph",
    "G14": "Progress and personal replies read the same memory",
    "G15": "Transcripts stay for a while, then only what was learnt",
    "C1": "What every business request carries, in order and in budget",
    "C2": "Conversations persist, open whole, can be searched",
    "C3": "A sliding window folds old messages into a summary",
    "C4": "Company memory in four categories, with its past",
    "C5": "Facts are extracted in the background",
    "C6": "The same fact is never kept twice",
    "C7": "Which company memories enter a reply, and how",
    "C8": "Lifetimes and decay per category",
    "C9": "Company memory is compressed with lineage",
    "C10": "Suggestions as chips, remembered when dismissed",
    "C11": "Live company figures and deadlines",
    "C12": "Nothing is deleted; any past date can be asked for",
    "C13": "Memory belongs to the company and to no other",
    "C14": "Swedish and English throughout",
    "I1": "Short-term and long-term memory",
    "I2": "Sleep consolidates in batches, all or nothing",
    "I3": "Nothing important is lost in sleep",
    "I4": "Runs are recorded, retried and never doubled",
    "I5": "Retrieval over both tiers",
    "I6": "A reply says what it stood on",
    "I7": "It degrades step by step, and the chat goes on",
    "I8": "Personal data is scrubbed; logs hold no content",
    "I9": "Structured logs and metrics",
    "I10": "Speed",
    "L1": "Listening to text and speech",
    "L2": "Emotions, trends, routines and a portrait",
    "L3": "A curated context for planner and coach",
    "L4": "A planner and a coach that acts",
    "L5": "Seven coaching skills",
    "L6": "Tone in eight modes, one voice",
    "L7": "Speaking, sentence by sentence",
    "L8": "Initiative within quiet hours",
    "L9": "Independent steps side by side, each timed",
    "K1": "Nodes with paths, payloads and resonance",
    "K2": "Activation: probe, bloom, trim",
    "K3": "Selected nodes as a nested dictionary in budget",
    "K4": "Frames in order, and immutable snapshots",
    "K5": "Observations and skills are written back",
    "K6": "Knowledge packs, signed and checked",
    "K7": "Seven tools over MCP",
    "K8": "A client that survives its server",
    "K9": "Coverage, drift, utility, hygiene",
    "K10": "A REST API with its description",
    "E1": "One command to a working site, one to the whole suite",
    "E2": "Whoever has no business somewhere is turned away",
    "E3": "Auditors see history, on a chain that verifies",
    "E4": "Everything can be taken out, and erased",
    "E5": "Phone width, keyboard, screen reader, light and dark",
    "E6": "The chat has what people know from chats they like",
    "E7": "Fits the systems people already use",
}
#: The acceptance criteria of the third document, under the rows I1 to I10.
CRITERIA = {
    "AC-2.1.1": "Sleep looks at short-term memories and sorts them",
    "AC-2.1.2": "What is relevant comes into long-term memory",
    "AC-2.1.3": "Short-term memory is cleaned up",
    "AC-2.1.4": "Long-term memory keeps the basic background",
    "AC-2.1.5": "Sleep runs by itself",
    "AC-2.1.6": "What is important is preserved",
    "AC-2.1.7": "State is managed as production needs",
    "AC-2.1.8": "That it happened can be checked",
    "AC-2.2.1": "A message retrieves short-term memories",
    "AC-2.2.2": "A message retrieves long-term memories",
    "AC-2.2.3": "Retrieved memories inform the reply",
    "AC-2.2.4": "The reply shows awareness of the student's history",
    "AC-2.2.5": "Retrieval does not slow replies down",
    "AC-2.2.6": "What is retrieved is relevant to the conversation",
    "AC-2.2.7": "The use of memories in a reply can be verified",
    "AC-2.3.1": "Replies refer to past sessions",
    "AC-2.3.2": "The companion remembers what was learned",
    "AC-2.3.3": "Replies adapt to progress",
    "AC-2.3.4": "Replies are personal, not generic",
    "AC-2.3.5": "Personalisation is visible in the conversation",
    "AC-2.3.6": "The companion understands the learning journey",
}


class SpecCollector:
    """A pytest plugin that notes which tests name which rows."""

    def __init__(self) -> None:
        self.tests_by_row: dict[str, set[str]] = defaultdict(set)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the marks; a parametrised test counts once."""
        for item in items:
            for mark in item.iter_markers("spec"):
                for row in mark.args:
                    self.tests_by_row[row].add(item.nodeid.partition("[")[0])


def collect() -> dict[str, set[str]]:
    """Return the tests by row.

    Raises:
        SystemExit: the tests cannot be collected; pytest's own words come with it.
    """
    collector, words = SpecCollector(), io.StringIO()
    with contextlib.redirect_stdout(words), contextlib.redirect_stderr(words):
        code = pytest.main(["--collect-only", "-q", "-p", "no:randomly"], plugins=[collector])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit(words.getvalue())
    return collector.tests_by_row


def main() -> int:
    """Print the table; return 1 when a test names a row that does not exist."""
    tests_by_row = collect()
    for row, title in (ROWS | CRITERIA).items():
        print(f"{row:<8} {title}")
        for test in sorted(tests_by_row.get(row, ())):
            print(f"         {test}")
    for names, what in ((ROWS, "rows"), (CRITERIA, "acceptance criteria")):
        proven = sum(name in tests_by_row for name in names)
        print(f"\n{proven} of {len(names)} {what} are named by a test.")
    unknown = sorted(set(tests_by_row) - set(ROWS) - set(CRITERIA))
    if unknown:
        print(f"Unknown rows: {', '.join(unknown)}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
