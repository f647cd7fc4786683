"""The glossary is true: what it points to exists, and what it rules out is not said in the interface."""

import re
from importlib import import_module

from babel.messages.pofile import read_po
from django.apps import apps
from django.core.exceptions import FieldDoesNotExist

from companion_site.running import PROJECT
from tests.guards.source import OURS

ROW = re.compile(r"^\| ([^|]+?) \| [^|]+?(?: Not: ([^|]+)\.)? \| `([\w.]+)` \|$", re.MULTILINE)
TEXT = (PROJECT / "docs" / "glossary.md").read_text()
ROWS = ROW.findall(TEXT)
#: Models of ours that need no word of their own: they mean what they say, or are a part of what the glossary explains.
PLAIN = {
    "AgentKey", "AgentVector", "Attachment", "ClassMembership", "Company", "CompanyFactVector", "DailyMetric",
    "Deadline", "Goal", "GoalNote", "Gratitude", "ImportPart", "LimitCount", "LlmCall", "Mood", "PackEdge",
    "PackNode", "PackPosting", "PackVector", "School", "SchoolClass", "Session", "Suggestion",
}  # fmt: skip


def test_words_are_in_order_and_told_once():
    """Each word stands where it is looked for, and each row is one that the tests below can read."""
    words = [word.casefold() for word, *_ in ROWS]
    heading = 2
    assert len(words) == len(re.findall(r"^\|", TEXT, re.MULTILINE)) - heading
    assert words == sorted(set(words))


def test_the_code_has_what_the_glossary_points_to():
    """A word's place in the code can be imported."""
    assert [place for place in sorted({place for *_, place in ROWS}) if not exists(place)] == []


def exists(place):
    """Tell whether a dotted name leads to a module, or to something in one."""
    parts = place.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        try:
            for name in parts[end:]:
                found = getattr(found, name, None) or found._meta.get_field(name)
        except (AttributeError, FieldDoesNotExist):
            return False
        return True
    return False


def test_every_model_has_a_word():
    """Whoever meets a table finds what it means."""
    models = {model.__name__ for model in apps.get_models() if model.__module__.startswith(OURS)}
    explained = {name for *_, place in ROWS for name in place.split(".")}
    assert models - explained == PLAIN


def test_the_interface_says_the_glossary_s_words():
    """No page or message uses a word that the glossary rules out."""
    with (PROJECT / "locale" / "sv" / "LC_MESSAGES" / "django.po").open("rb") as file:
        said = [str(message.id) for message in read_po(file) if message.id]
    ruled_out = {word for _, words, _ in ROWS for word in words.split(", ") if word}
    found = {
        (word, text)
        for text in said
        for word in ruled_out
        if re.search(rf"\b{re.escape(word)}s?\b", text, re.IGNORECASE)
    }
    assert found == set()
