"""Danger, standing wishes and what calls for memory as the site tells them, and weights that are refused at the start."""

import pytest

from companion_site.embeddings.service import get_embedder
from memory.reading.heads import WEIGHTS
from memory.reading.service import (
    calls_for_memory,
    check_heads,
    find_danger,
    find_parts_of_danger,
    get_heads,
    nearest_to,
)
from memory.reading.statements import as_statement, find_statements
from memory.student.ledger_promotion import find_promotions
from tests.cases import cases


@pytest.mark.spec("L4")
def test_danger_is_found_without_its_usual_words_and_within_a_long_message():
    """Said in other words than any list holds, in Norwegian, and between a hundred harmless words."""
    dull = "We had maths and then lunch, and the bus was late as always. "
    texts = [
        "i looked up how many of mums pills it takes",
        "jag har skrivit breven nu, de ligger i lådan",
        "jeg skar meg igjen i går",
        f"{dull * 4}I don't want to be alive anymore. {dull * 4}",
    ]
    assert not [text for text in texts if find_danger(text) is None]


def test_everyday_messages_are_no_danger():
    """Figures of speech, school, plans and nothing at all."""
    texts = ["", "🙂🙂", "Jag dör av skratt", "I killed it at the exam", "Kan du förklara rekursion?", "hej!"]
    texts += ["When does he die in the book?", "Vet du om hon dör i filmen?"]
    texts += ["What do I want to be one day?", "What food can't I eat?"]
    texts += ["I want to start running twice a week", "print('kill', process)", "ord " * 8_000]
    assert not [text for text in texts if find_danger(text) is not None]


def test_danger_that_is_asked_about_is_danger():
    """Whoever asks what they told of it speaks of it, too."""
    texts = ["Did I tell you that he hits me?", "Have I told you what my uncle does to me at night?"]
    texts += ["Do you remember that I told you he hits me?", "What did I say about wanting to disappear?"]
    texts += ["Minns du när jag skar mig i armen?", "Vad sa jag om att jag inte vill leva längre?"]
    assert not [text for text in texts if find_danger(text) is None]


def test_a_start_with_weights_of_another_embedder_is_refused(settings, tmp_path):
    """The check names both embedders and how to train; with the shipped weights there is nothing to say."""
    assert check_heads(None) == []
    settings.EMBEDDINGS_PROVIDER = "openai"
    settings.EMBEDDINGS_BASE_URL, settings.EMBEDDINGS_MODEL = "http://127.0.0.1:1/v1", "their-model"
    settings.EMBEDDINGS_DIMENSION, settings.EMBEDDINGS_API_KEY = 8, "none"
    (error,) = check_heads(None)
    assert "their-model" in error.msg and "python -m bench.train" in error.msg
    settings.EMBEDDINGS_PROVIDER = "bundled"
    settings.READING_WEIGHTS = tmp_path / "weights.npz"
    settings.READING_WEIGHTS.write_bytes(WEIGHTS.read_bytes()[:10_000])
    (error,) = check_heads(None)
    assert "damaged" in error.msg


def test_what_lies_near_calls_for_memory_rather():
    """The same message calls for memories the surer the nearer the nearest is and the likelier the best have to do with it."""
    embedder = get_embedder()
    heads = get_heads(embedder)
    (vector, near, far) = embedder.embed(
        ["When is the final?", "The last round is the final.", "I like tea."]
    )
    for weighed in (
        [{"nearest": at, "bearing": (0.2,)} for at in (0.0, 0.2, 0.5)],
        [
            {"nearest": 0.2, "bearing": best}
            for best in ((0.1, 0.1, 0.1, 0.0), (0.1, 0.9, 0.1), (0.9, 0.9, 0.9))
        ],
    ):
        chances = [calls_for_memory("When is the final?", vector, heads, **given) for given in weighed]
        assert chances == sorted(chances) and 0 < chances[0] < chances[-1] < 1
    assert 0 < calls_for_memory("When is the final?", vector, heads, nearest=0.0, bearing=()) < 1
    assert nearest_to(vector, near[None], heads) > nearest_to(vector, far[None], heads)
    assert nearest_to(vector, near[None][:0], heads) == 0.0


def test_a_standing_wish_is_kept_and_stands_in_the_ledger(subtests):
    """Though it is a request in form; what is asked this once is neither."""
    embedder = get_embedder()
    for text, language, stands in (
        ("Please never use emojis with me.", "en", True),
        ("Skriv alltid kort till mig, tack.", "sv", True),
        ("Write a poem about the sea.", "en", False),
        ("Are you allergic to chicken?", "en", False),
    ):
        with subtests.test(case=text):
            kept = find_statements(text, language=language, embedder=embedder)
            promoted = find_promotions(
                text, kept, language=language, rounds=1, danger=None, embedder=embedder
            )
            assert [one.text for one in kept] == ([text] if stands else [])
            found = [(one.draft.category, one.draft.content, one.draft.triggers) for one in promoted]
            assert found == ([("instruction", text, ())] if stands else [])


def test_only_what_surely_tells_of_a_feeling_or_an_event_is_linked_as_one():
    """A plain fact is neither."""
    texts = {
        "I am so happy and proud of that!": "emotional",
        "Last Saturday we went to a concert in Malmö.": "episodic",
        "Our school has four floors.": "semantic",
    }
    found = [as_statement(text, language="en", embedder=get_embedder()) for text in texts]
    assert [one.modality for one in found] == list(texts.values())
    assert all(one.is_sure for one in found)
    assert found[0].valence > 0.5 > found[2].valence


@cases(
    ("danger", "chances", "telling"),
    [
        (None, [0.1, 0.2], set()),
        ("perhaps", [0.1, 0.2], set()),
        ("sure", [0.1, 0.2], {1}),
        (None, [0.1, 0.99], {1}),
        ("sure", [], set()),
    ],
)
def test_of_what_surely_speaks_of_danger_one_part_does(danger, chances, telling):
    """The likeliest, where none is sure by itself; of what is only perhaps danger none."""
    assert find_parts_of_danger(danger, chances) == telling
