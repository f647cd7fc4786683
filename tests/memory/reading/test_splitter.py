"""Messages in clauses, with their place and frame."""

from memory.reading.splitter import LONGEST, split, split_sentences


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


def test_a_sentence_is_ended_by_no_full_stop_that_shortens_a_word_and_is_no_number_alone():
    """A title before a name, an example, a mark after what it was given for; "etc." may end one, and a line by itself is read as one."""
    cases = {
        "The consultant, Dr. Wekesa, asks a lot. I like her": [
            "The consultant, Dr. Wekesa, asks a lot.",
            "I like her",
        ],
        "Vi ses kl. 8 och tar t.ex. bussen. Hej": ["Vi ses kl. 8 och tar t.ex. bussen.", "Hej"],
        "I saw the Dr. today etc. Then I slept": ["I saw the Dr. today etc.", "Then I slept"],
        "passed unit one! 88": ["passed unit one! 88"],
        "88. Not bad": ["88.", "Not bad"],
        "1. I live in Lund\n2. I have a dog": ["1.", "I live in Lund", "2.", "I have a dog"],
        "I live in Lund. 2. I have a dog": ["I live in Lund.", "2.", "I have a dog"],
        "I got in! 🎉🎉 So happy": ["I got in!", "🎉🎉 So happy"],
        "T.ex. ca. 40 kunder betalar sent. Ja!": ["T.ex. ca. 40 kunder betalar sent.", "Ja!"],
        "He wrote: 'We are late.' Fine": ["He wrote: 'We are late.'", "Fine"],
    }
    told = {text: [text[one.start : one.end] for one in split_sentences(text)] for text in cases}
    assert told == cases
    numbers = split_sentences("I count. " + "1! " * 10_000, limit=40_000)
    assert all(one.end - one.start <= LONGEST for one in numbers)


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
        "1! " * 10_000,
        "Dr. " * 8_000,
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
