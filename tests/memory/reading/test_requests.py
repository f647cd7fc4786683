"""What a message asks of memory: to keep, to forget, to put right, and which message only asks."""

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.service import EmbedOnce, get_embedder
from memory.reading.requests import find_purposes, find_request
from memory.reading.words import write_out
from tests.cases import cases


def asked(text: str):
    return find_request(text, vector=get_embedder().embed([text])[0])


@cases(
    ("text", "wants"),
    [
        ("Forget that I play chess.", "forget_this"),
        ("Glöm att jag spelar schack.", "forget_this"),
        ("Glöm att jag inte gillar lax.", "forget_this"),
        ("Don't forget that I play chess.", "remember_this"),
        ("Glöm inte att jag spelar schack.", "remember_this"),
        ("Never forget that I am allergic to nuts.", "remember_this"),
        ("I forgot my keys at home.", None),
        ("Jag glömde gympapåsen i skolan.", None),
    ],
)
def test_forgetting_is_told_from_its_denial(text, wants):
    """One small word turns the meaning round; nothing is put away by it."""
    assert asked(text) == wants


@cases(
    ("text", "purpose"),
    [("va heter läraren", "ask"), ("wat did he hurt", "ask"), ("We have moved to Malmö.", None), ("Glöm det där om mitt knä.", "forget_this")],
)  # fmt: skip
def test_who_asks_tells_nothing(text, purpose):
    """With or without a question mark, and as people spell."""
    assert find_purposes([text], get_embedder()) == [purpose]
    assert find_purposes([], get_embedder()) == []


@cases(
    ("said", "before", "puts_right"),
    [
        ("sorry, I mean Friday", "My biology test is on Thursday", True),
        ("no wait, her name is Pepper", "I got a new kitten yesterday, she is called Pixel", True),
        ("förlåt, klockan fyra menar jag", "Mötet är klockan tre", True),
        ("they are 9 and 12", "I have two brothers", False),
        ("och min pappa heter Ola", "Min mamma heter Karin", False),
        ("sorry, I mean Friday", "My brother plays chess", False),
        ("vad är klockan i Vasa nu", "Vi bor ju på Katendrecht, fjärde våningen", False),
        (
            "is the sun really gone there in november",
            "Don't quiz me after nine in the evening, please",
            False,
        ),
        ("jag åt tre semlor. Ilze grät i telefonen", "sista omgången är den 9 december", False),
        (
            "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him.",
            "I sing in a band with Mira.",
            False,
        ),
        ("4 " * 16_000, "7 " * 16_000, False),
        ("no", "", False),
    ],
)
def test_what_gives_another_value_puts_right_what_was_just_said(said, before, puts_right):
    """And only that: what is added, asked or told of something else does not, and what is endless or empty does no harm."""
    purposes = find_purposes([said], get_embedder(), [[before]])
    assert (purposes == ["correct"]) is puts_right


def test_nothing_is_put_right_where_nothing_can_be_embedded():
    """The reader is asked for each message, and any of its calls may fail."""

    class Failing(EmbedOnce):
        def embed(self, texts):
            if any(text.startswith("sorry") and text.endswith(".") for text in texts):
                raise EmbeddingError()
            return super().embed(texts)

    assert find_purposes(["sorry, I mean Friday"], Failing(get_embedder()), [["It is on Thursday"]]) == [None]


@cases(
    ("spoken", "written"),
    [
        ("va e min tid", "vad är min tid"),
        ("wher r u", "where are you"),
        ("Vad är klockan?", "Vad är klockan?"),
        ("roten ur 144 vid ett hav", "roten ur 144 vid ett hav"),
        ("", ""),
    ],
)
def test_spoken_words_are_written_out(spoken, written):
    """What is spelled already stays as it is."""
    assert write_out(spoken) == written
