"""The bench of what the companion without a model answers: what it reads, and its rules."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from bench.company_questions import load_questions, read_told
from bench.replies import DATA, declines, judge, load_askings, main, split_sentences
from companion_site.llm.offline_phrases import PHRASES
from tests.cases import cases


@cases(
    "content",
    [
        "{",
        "[]",
        '{"conversations": [], "now": "yesterday"}',
        '{"id": "a", "now": "2026-01-01T10:00", "conversations": [[{"text": "Who?"}]]}',
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, capsys, content):
    """One line, the file's path in it, and the exit code for bad input; nothing is measured. So is an empty folder."""
    (tmp_path / "empty").mkdir(exist_ok=True)
    assert main([str(tmp_path / "empty")]) == 2 and str(tmp_path) in capsys.readouterr().err
    file = tmp_path / "life.json"
    file.write_text(content)
    assert main([str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(file) in line


@cases("language", ["en", "sv"])
def test_each_way_of_declining_is_known(language):
    """And no other reply is taken for one."""
    phrases = PHRASES[language]
    topic = phrases.not_told_topic.format(topic=phrases.quote.format("my sister"))
    assert all(declines(way) for way in (*phrases.not_told, topic, phrases.not_told_brief))
    others = (*phrases.told, *phrases.connects, *phrases.acknowledge["other"], *phrases.ask["other"])
    assert not any(declines(way) for way in others)


def test_a_reply_is_judged_by_rules():
    """Right by the words that are needed, a wrong quotation by those of another message, repeated by what was said before."""
    (asking,) = load_askings([DATA / "a01.json"])
    asked = asking.scenario.questions[0]
    said: Counter[str] = Counter()

    def judged(reply: str):
        return judge(asking.scenario, asked, reply, level="none", said=said)

    wrong = "You told me: “My cello teacher is called Birgitta and she's terrifying but brilliant”."
    right = judged("Your brother is called Ossian.")
    assert right.verdict == "right" and not right.is_misquoting and not right.repeated
    assert judged(PHRASES["en"].not_told[0]).verdict == "declined"
    first, second = judged(wrong), judged(wrong)
    assert first.is_misquoting and first.verdict == "other" and not first.repeated
    assert second.repeated == tuple(split_sentences(wrong))
    listed = [
        judged(f"What I know: {n}\n- \u201cMira has {n} dogs\u201d (Monday 2 March)")
        for n in ("two", "three")
    ]
    assert not any(one.repeated for one in listed)  # the day is no sentence
    untold = replace(asked, needs=())
    assert judge(asking.scenario, untold, PHRASES["en"].not_told[1], level="none", said=said).is_good


def test_words_that_are_said_by_chance_are_no_quotation():
    """What another message has in common with the one that answers, or with the companion's own words, gives nothing back of it."""
    (asking,) = load_askings([DATA / "b03.json"])
    camping, bethan = (
        next(message for message in asking.scenario.messages if name in message)
        for name in ("Pembrey", "Bethan")
    )
    assert "so that I can go" in camping and "so that I can go" in bethan
    asked = replace(asking.scenario.questions[0], text="Where are we going?", needs=(("Pembrey",),))

    def misquotes(reply: str) -> bool:
        return judge(asking.scenario, asked, reply, level="none", said=Counter()).is_misquoting

    assert not misquotes(f"You told me: \u201c{camping}\u201d.") and misquotes(
        f"You told me: \u201c{bethan}\u201d."
    )
    # What is remembered may have been put right by a message that has nothing of the answer itself.
    assert not misquotes(f"You told me: \u201c{camping} {bethan}\u201d.")
    assert any("and it will be" in message for message in asking.scenario.messages)
    assert not misquotes("I find nothing on this in my notes; say it once more, and it will be there.")


def test_every_life_that_is_measured_can_be_read():
    """With the questions in its conversations, each of a kind; and what the demo company was told, with those about it."""
    askings = load_askings([DATA])
    assert len(askings) == len(list(DATA.glob("*.json")))
    talks = [talk for asking in askings for talk in asking.conversations] + load_questions()
    assert all(asked.kind for talk in talks for asked in talk)
    assert read_told("en").messages


@pytest.mark.usefixtures("measured_here")
def test_the_shares_are_printed_as_json(capsys):
    """Of sums alone, which need nothing told."""
    assert main([str(DATA / "s01.json"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["all"]
    assert figures["sums and dates"] == 1.0 and figures["repeated"] == 0 and "declined though told" in figures
