"""What belongs into the ledger is told without a language model, measured on labelled sentences."""

import functools

import pytest

from bench.ledger import count, halves, judge, load_labelled
from companion_site.embeddings.service import get_embedder
from memory.ledger_everyday import SENTENCES as EVERYDAY
from memory.ledger_kinds import classify
from memory.ledger_prototypes import load_ledger_prototypes
from memory.ledger_sentences import KINDS, SENTENCES

pytestmark = [pytest.mark.spec("G2", "G4")]


@functools.cache
def judged():
    """Return what is found in each part of the labelled sentences, and how many each has."""
    return {
        title: (count(rows, judge(rows, full=False)), len(rows)) for title, rows in halves(load_labelled())
    }


def share(part, *rest):
    return part / max(1, part + sum(rest))


def kinds(*sentences):
    embedder = get_embedder()
    verdicts = classify(sentences, embed=embedder.embed, model=embedder.model)
    return [verdict.category for verdict in verdicts]


def test_the_labels_are_many_and_of_every_kind():
    """At least 200 sentences in two languages, every category, and 80 that belong nowhere."""
    rows = [row for row in load_labelled() if row["set"] == 1]
    assert len(rows) >= 200
    for category in KINDS:
        for language in ("en", "sv"):
            found = [row for row in rows if (row["category"], row["language"]) == (category, language)]
            assert len(found) >= (40 if category == "none" else 12)
    assert len({row["text"] for row in load_labelled()}) == len(load_labelled())


def test_prototypes_are_balanced_and_not_the_labelled_sentences():
    """Each kind has as many in English as in Swedish, and what is measured was never shown."""
    shown = {sentence for sentences in SENTENCES.values() for sentence in sentences}
    assert not shown & {row["text"] for row in load_labelled()}
    assert len(shown) == sum(map(len, SENTENCES.values()))
    assert all(len(sentences) % 2 == 0 and len(sentences) >= 12 for sentences in SENTENCES.values())


@pytest.mark.parametrize(
    ("part", "recall", "false_alarms"),
    [
        ("first set, even rows (chosen on)", 0.95, 0.05),
        ("first set, odd rows", 0.95, 0.03),
        ("second set", 0.3, 0.02),
        ("third set", 0.15, 0.0),
    ],
)
def test_threats_are_found(part, recall, false_alarms):
    """Few threats are missed, and of everything else few are taken for one; the third set is worded to be missed."""
    found, size = judged()[part]
    threat = found["threat"]
    others = size - threat["right"] - threat["missed"]
    assert share(threat["right"], threat["missed"]) >= recall
    assert threat["wrong"] / others <= false_alarms


@pytest.mark.parametrize("category", [kind for kind in KINDS if kind not in ("none", "threat")])
def test_the_other_categories_are_taken_only_where_they_are_clear(category):
    """Of what is put into the ledger from a message of one pass, nearly all belongs there."""
    right = wrong = missed = 0
    for part, (found, _) in judged().items():
        if part != "third set":
            right += found[category]["right"]
            wrong += found[category]["wrong"]
            missed += found[category]["missed"]
    assert share(right, wrong) >= 0.95
    assert share(right, missed) >= 0.75


@pytest.mark.parametrize(
    "sentence",
    [
        "This homework is killing me.",
        "jag dör av skratt",
        "I promised myself nothing.",
        "My secret recipe has three spices.",
        "The news said that a man was stabbed in Oslo.",
        "I boken dödar hon sin man.",
        "Hur dödar jag en process?",
        "He beat me in tennis 6-2.",
        "Mamma dödar mig om jag kommer sent.",
        "We slaughtered them in the final.",
    ],
)
def test_what_only_sounds_like_it_is_left_alone(sentence):
    """Figures of speech, contests, books, news and computers are no threats and nothing else."""
    assert kinds(sentence) == [None]


@pytest.mark.parametrize(
    "sentence",
    [
        "i wanna die lol",
        "I want to kill myself haha",
        "jag vill ta livet av mej",
        "My dad hit me again.",
        "min pappa slog mig igen",
        "THEY BEAT ME UP EVERY DAY",
        "I\u2019m going to kill myself",
        "Jag skär mig",
        "In class today he said that he will stab me after school.",
        "Skolan får mig att vilja ta livet av mig.",
    ],
)
def test_a_threat_is_heard_however_it_is_put(sentence):
    """A laugh, capitals, a slip of spelling, a curly apostrophe or a word of school takes nothing back."""
    assert kinds(sentence) == ["threat"]


def test_prototypes_are_embedded_once_for_each_model(settings, tmp_path):
    """A second message costs no second embedding of the prototypes, nor does a second process."""
    settings.VAR_DIR = tmp_path
    calls = []

    def embed(texts):
        calls.append(len(texts))
        return get_embedder().embed(texts)

    first = load_ledger_prototypes(embed, model="counted for the ledger")
    assert load_ledger_prototypes(embed, model="counted for the ledger") is first
    assert calls == [sum(map(len, SENTENCES.values())) + len(EVERYDAY)]


def test_nothing_is_asked_about_nothing():
    """No sentence needs no embedder."""
    assert classify([], embed=lambda texts: pytest.fail("asked"), model="none") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "I have such anxiety about tests that I can't sleep",
        "I get panic attacks before exams",
        "Jag har ångest inför provet",
        "Jag lider av provångest",
    ],
)
def test_anxiety_about_tests_is_a_safety_concern(sentence):
    """Named as anxiety or panic, what tests do to somebody is a threat to them."""
    assert kinds(sentence) == ["threat"]


@pytest.mark.parametrize("sentence", ["I am a bit nervous about the test.", "Don't panic about the exam."])
def test_nerves_before_a_test_are_not(sentence):
    """Ordinary nerves alert nobody."""
    assert kinds(sentence) != ["threat"]
