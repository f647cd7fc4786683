"""What a message asks of memory: to keep, to forget, to put right, and which message only asks."""

from companion_site.embeddings.service import get_embedder
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
