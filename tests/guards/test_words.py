"""Every word of the interface can be translated, and is, into Swedish."""

import re
import sys
from html.parser import HTMLParser

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from companion_site.running import PROJECT
from tests.guards.source import APPS

TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
CATALOGUE = PROJECT / "locale" / "sv" / "LC_MESSAGES" / "django.po"
#: `gettext` by the names that the code gives it, beside Babel's own.
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")
TRANSLATED = re.compile(r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}", re.DOTALL)
CLASSES = re.compile(r"{% block \w+_class %}.*?{% endblock \w+ %}", re.DOTALL)
TEMPLATE_CODE = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
SPOKEN = {"alt", "aria-description", "aria-label", "aria-roledescription", "placeholder", "title"}
#: Words that are the same in every language.
UNTRANSLATED = {"CSV", "EN", "English", "JSON", "SV", "Svenska"}

pytestmark = pytest.mark.spec("C14")


class Words(HTMLParser):
    """Collects what a page says by itself: text and spoken attributes."""

    def __init__(self):
        super().__init__()
        self.found, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("style", "script")
        self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag):
        self.silent -= tag in ("style", "script")

    def handle_data(self, data):
        if not self.silent:
            self.found.append(data)


def test_no_word_to_translate_is_hidden_in_another_string():
    """What is called inside of an f-string is not found by whoever collects the words, and stays English."""
    hidden = [
        f"{path.relative_to(PROJECT)}:{number}"
        for app in APPS
        for path in sorted((PROJECT / app).rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"\{(?:_|n?gettext|pgettext)\(", line)
    ]
    assert not hidden


def test_templates_say_nothing_untranslatable():
    """No letter stands in a page or in what a screen reader says outside of gettext."""
    bare = {}
    for path in TEMPLATES:
        words, text = Words(), path.read_text()
        for silent in (TRANSLATED, CLASSES, TEMPLATE_CODE):
            text = silent.sub("", text)
        words.feed(text)
        found = [text.strip() for text in words.found if re.search(r"[^\W\d_]{2,}", text)]
        if stray := [text for text in found if text not in UNTRANSLATED]:
            bare[path.relative_to(PROJECT).as_posix()] = stray
    assert bare == {}


@pytest.fixture(scope="module")
def said():
    """Every string of the code and the templates that goes through gettext, by where it stands."""
    place = str(PROJECT / "locale")
    sys.path.insert(0, place)
    try:
        with (PROJECT / "locale" / "babel.cfg").open() as config:
            methods, options = parse_mapping_cfg(config)
        rows = [
            (name, line, message)
            for name, line, message, *_ in extract_from_dir(
                str(PROJECT), methods, options, keywords=KEYWORDS, directory_filter=visible
            )
        ]
    finally:
        sys.path.remove(place)
    return {message: f"{name}:{line}" for name, line, message in rows}


def visible(directory):
    """Skip what is no part of the project."""
    name = directory.rstrip("/").rsplit("/", 1)[-1]
    return not name.startswith(".") and name not in {"var", "tests", "bench", "node_modules"}


@pytest.fixture(scope="module")
def catalogue():
    with CATALOGUE.open("rb") as file:
        return {message.id: message for message in read_po(file, locale="sv") if message.id}


def test_every_string_is_in_swedish(said, catalogue):
    """Each has a translation that is finished, not a guess."""
    missing = {
        where: message
        for message, where in said.items()
        if message not in catalogue or catalogue[message].fuzzy or not all(of(catalogue[message].string))
    }
    assert missing == {}


def test_the_catalogue_holds_nothing_else(said, catalogue):
    """A translation of a string that is gone would rot."""
    assert sorted(map(str, set(catalogue) - set(said))) == []


def test_a_translation_keeps_what_is_filled_in(catalogue):
    """The same names stand in both languages, so that no page breaks in one of them."""
    for message in catalogue.values():
        want = {name for text in of(message.id) for name in names_in(text)}
        for text in of(message.string):
            assert set(names_in(text)) <= want, message.id
        assert {name for text in of(message.string) for name in names_in(text)} == want, message.id


def of(text):
    """Return a message's one form or both."""
    return [text] if isinstance(text, str) else list(text)


def names_in(text):
    return [match[1] or match[2] or match[0] for match in PLACEHOLDER.finditer(text)]
