"""Messages in clauses, with their place and frame."""

from memory.reading.splitter import split


def _parts(text: str) -> list[str]:
    return [text[clause.start : clause.end] for clause in split(text)]


def test_a_message_is_split_where_its_sides_can_stand_alone():
    """Stops always part; commas and joining words part only what is long enough on both sides. Any language, no flag."""
    cases = {
        "hejhej! bytte skola i måndags, går på Kastanjeskolan nu": [
            "hejhej!",
            "bytte skola i måndags",
            "går på Kastanjeskolan nu",
        ],
        "She was nice about it, and now I'm worried about money": [
            "She was nice about it",
            "and now I'm worried about money",
        ],
        "Jeg bor i Bergen nå, men savner Oslo veldig": ["Jeg bor i Bergen nå", "men savner Oslo veldig"],
        "red, green and blue": ["red, green and blue"],
        "It costs 1,310 a month at 8.30 a.m": ["It costs 1,310 a month at 8.30 a.m"],
        "": [],
        " \n ": [],
    }
    wrong = {text: _parts(text) for text, parts in cases.items() if _parts(text) != parts}
    assert not wrong


def test_frames_say_how_a_clause_is_said():
    """Asked, supposed, quoted, played, ironic and somebody else's are seen in English, Swedish and Norwegian."""
    cases = {
        "What is my dog called?": "asked",
        "om jag vann på lotto": "supposed",
        'she wrote "I live in Rome with two dogs"': "quoted",
        "> I live in Rome": "quoted",
        "i boka jeg leser dør hun": "played",
        "I am the queen of maths lol": "ironic",
        "hon bor i Lund nu": "others",
    }
    missing = {
        text: frame
        for text, frame in cases.items()
        if not any(frame in clause.frames for clause in split(text))
    }
    assert not missing
    assert [clause.frames for clause in split("I live in Lund.")] == [frozenset()]


def test_hostile_messages_are_split_in_order_without_overlap():
    """Spans rise, never overlap, stay inside the text and are few, whatever 32,000 characters hold."""
    texts = [
        "a" * 32_000,
        '"' * 32_000,
        "a, " * 10_000,
        "🙂" * 30_000,
        "x y z and so on\n" * 2_000,
        "." * 32_000,
    ]
    texts += [
        "> " * 16_000,
        "\ud800 a \x00 b",
        "def f(x):\n    return {x: [1, 2]}",
        "\u202etxet desrever, and more of it",
    ]
    for text in texts:
        clauses = split(text)
        assert len(clauses) <= 200
        places = [place for clause in clauses for place in (clause.start, clause.end)]
        assert places == sorted(places)
        assert all(0 <= clause.start < clause.end <= len(text) for clause in clauses)
