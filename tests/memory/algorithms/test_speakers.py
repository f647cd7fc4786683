"""Whose words a question asks about."""

from memory.algorithms.speakers import find_speakers, strip_names

NAMES = ["Anna Berg", "Lars", "Åke"]


def test_names_are_found_as_words(subtests):
    """In any case, with either language's genitive, never inside another word."""
    for text, expected in [
        ("What did Anna buy?", {0}),
        ("What is Anna's plan?", {0}),
        ("What is Anna\u2019s plan?", {0}),
        ("Vad är Annas plan?", {0}),
        ("What did anna and LARS do?", {0, 1}),
        ("Vad gjorde åke?", {2}),
        ("Who lives in Annaberg?", set()),
        ("What did I buy?", set()),
    ]:
        with subtests.test(text=text, expected=expected):
            assert find_speakers(text, NAMES) == expected


def test_pronouns_stand_for_user_and_companion(subtests):
    """I is who asks, you is the companion, in both languages."""
    for text, expected in [
        ("What did I tell you?", {7, 8}),
        ("Vad heter min hund?", {7}),
        ("What's your advice?", {8}),
        ("Why?", set()),
    ]:
        with subtests.test(text=text, expected=expected):
            assert find_speakers(text, [], user=7, companion=8) == expected


def test_roles_are_meant_by_pronouns():
    """In a conversation of user and assistant, nobody is called by name."""
    assert find_speakers("What did I buy?", ["user", "assistant"]) == {0}
    assert find_speakers("What did you suggest?", ["user", "assistant"]) == {1}


def test_names_are_taken_out_of_the_search_words():
    """A name as a word would find what was said to that person."""
    assert strip_names("What did Anna buy for Lars's dog?", NAMES).split() == [
        "What",
        "did",
        "buy",
        "for",
        "dog?",
    ]
    assert strip_names("What did Anna buy?", []) == "What did Anna buy?"
