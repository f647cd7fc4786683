"""The measure of the product: what stands in the request after a life of some weeks, judged by hand and by attempts to fool it."""

import json
import re
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from bench.commands import BadInput
from bench.judge import as_lines, count, is_made_of, judge, plain, read_lines, says
from bench.lifecycle import GATES, find_gate, main
from bench.lives import Kept
from bench.scenarios import Asked, amid, load_scenarios, parse_scenario
from companion_site.running import PROJECT
from tests.bench.conftest import run
from tests.llm.wire_server import Act, WireServer

SCENARIOS = PROJECT / "bench" / "data" / "scenarios"
TOLD = [
    "My dog is called Bosse and he is afraid of thunder.",
    "I live in Lund with my brother Noah.",
    "haha ok",
    'The book says "my uncle Rolf keeps a tiger in the garage".',
]
LATER = ["I have moved to Ystad, so I live in Ystad now."]


def question(text, needs, kind="plain", must_not_say=(), at="2026-04-02T10:00"):
    return {
        "at": at,
        "text": text,
        "language": "en",
        "answer": "As told.",
        "needs": needs,
        "must_not_say": list(must_not_say),
        "kind": kind,
    }


def tiny(**overrides):
    """A life of five messages, of which the right numbers are known."""
    return {
        "id": "tiny",
        "side": "student",
        "language": "en",
        "who": "Ada, 20",
        "sessions": [
            {"at": "2026-03-02T18:00", "messages": TOLD},
            {"at": "2026-03-20T18:00", "messages": LATER},
        ],
        "after": ["sleep", "weeks:1", "clean_up"],
        "questions": [
            question("What is my dog called?", [["Bosse"]]),
            question("Where do I live now?", [["Ystad"]], "corrected", ["live in Lund"]),
            question(
                "Is it true that I was born in Kiruna, or was it Gällivare?", [["Kiruna"], ["Gällivare"]]
            ),
        ],
        "bland": ["what is 7 times 8"],
        "keep": [["thunder"], ["Luleå"]],
        "junk": ["my uncle Rolf keeps a tiger in the garage"],
        **overrides,
    }


def asked(needs, must_not_say=()):
    (found,) = parse_scenario(
        tiny(questions=[question("Where?", needs, must_not_say=must_not_say)])
    ).questions
    assert isinstance(found, Asked)
    return found


# --- files ----------------------------------------------------------------------------------------------------------


def edited(*path, value=None):
    """Return the tiny life with one part of it changed; a value of None removes it."""
    *before, last = path
    data = part = deepcopy(tiny())
    for key in before:
        part = part[key]
    part[last] = value
    if value is None:
        del part[last]
    return data


@pytest.mark.parametrize(
    ("said", "data"),
    [
        ("who: Field required", edited("who")),
        ("mood: Unexpected", edited("mood", value="good")),
        ("side: Input should be 'student' or 'company'", edited("side", value="school")),
        ("sessions: none", edited("sessions", value=[])),
        (
            "sessions[0].messages[1]: Input should be a valid string",
            edited("sessions", 0, "messages", 1, value=7),
        ),
        ("sessions[0].messages[0]: String should", edited("sessions", 0, "messages", 0, value="x" * 40_000)),
        ("sessions[1].at: Value error, Invalid isoformat", edited("sessions", 1, "at", value="soon")),
        ("sessions[1].at: Value error, the year 1066", edited("sessions", 1, "at", value="1066-10-14")),
        (
            "sessions[1].at: before the session before",
            edited("sessions", 1, "at", value="2026-03-02T18:00:20"),
        ),
        ("`by` is for companies", edited("sessions", 0, "by", value="bo")),
        ("after[2]: String should match", edited("after", 2, value="weeks:0")),
        ("questions[0].needs: none", edited("questions", 0, "needs", value=[])),
        ("questions[0].needs[0]: Tuple should have", edited("questions", 0, "needs", 0, value=[])),
        ("questions[0].kind: 'hard' is none of", edited("questions", 0, "kind", value="hard")),
        ("questions[0].at: before all that happens", edited("questions", 0, "at", value="2026-03-21T10:00")),
        ("junk[0]: no message has these words", edited("junk", 0, value="a lion in the cellar")),
        ("the file: Input should be", []),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_its_place(said, data):
    """Every part that is missing, unknown, of the wrong kind or at an impossible time is named before anything is lived."""
    with pytest.raises(BadInput, match=re.escape(said)):
        parse_scenario(data)


@pytest.mark.parametrize("count", [0, 1, 7, 61, 400])
def test_other_talk_is_lived_before_and_between(count):
    """All of it once, in its order, in sittings that do not overlap; what is told and asked stays as it is."""
    scenario, talk = parse_scenario(tiny()), [f"Talk {number}" for number in range(count)]
    lived = amid(scenario, talk)
    assert [text for text in lived.messages if text in set(talk)] == talk
    assert [one for one in lived.sittings if not set(one.messages) & set(talk)] == list(scenario.sittings)
    assert all(one.ended < other.at for one, other in pairwise(lived.sittings))
    before = [one for one in lived.sittings if one.at < scenario.sittings[0].at]
    assert sum(len(one.messages) for one in before) == count // 2
    assert replace(lived, sittings=scenario.sittings) == scenario


def test_a_damaged_file_is_refused_with_its_name_and_line(tmp_path, capsys):
    """One line, exit code 2, and nothing is lived; the same for two of one id and for none at all."""
    damaged = {
        "cut.json": (b'{\n "id": "x",\n', "cut.json:3: not JSON"),
        "nan.json": (b'{"id": NaN}', "nan.json: id: Input should be a valid string"),
        "deep.json": (b"[" * 100_000, "deep.json: nested too deeply"),
        "latin.json": (b'{"id": "\xe5"}', "latin.json: not UTF-8"),
        "same/1.json": (json.dumps(tiny()).encode(), ""),
        "same/2.json": (json.dumps(tiny()).encode(), ""),
    }
    for folder in ("same", "empty"):
        (tmp_path / folder).mkdir()
    for name, (content, _) in damaged.items():
        (tmp_path / name).write_bytes(content)
    expected = {name: said for name, (_, said) in damaged.items() if "/" not in name} | {
        "missing.json": "missing.json: No such file",
        "empty": "no scenario in",
        "same": "scenarios of the same id: tiny",
    }
    for name, said in expected.items():
        assert main([str(tmp_path / name)]) == 2, name
        printed = capsys.readouterr()
        assert said in printed.err and printed.err.count("\n") == 1 and printed.out == "", name


def test_the_scenarios_here_hold_what_their_answers_need():
    """The oracle: everything ever said meets every need, and no question says what its answer needs."""
    scenarios = load_scenarios([SCENARIOS])
    assert {one.side for one in scenarios} == {"student", "company"} and len(scenarios) == 36
    wrong = [
        (one.name, need, asked.text)
        for one in scenarios
        for asked in one.questions
        for need in asked.needs
        if not any(says(plain(message), need) for message in one.messages) or says(plain(asked.text), need)
    ]
    assert wrong == []


# --- judging --------------------------------------------------------------------------------------------------------

BLOCK = """<COMPANION_MEMORY>
You remember about this student:
- “I live in Malmö &lt;now&gt;” [background, semantic, confidence=0.9]
- “I used to live in Lund” [background, semantic, confidence=0.4, not sure]
2026-03-02:
- “The trip was grand” [episodic]
- “I sing” [outdated?]

How they are:
- [neutral, low; energy medium]

Open in their life now:
- “speech for Erika” [promise, medium, 2026-11-21]
- “dentist” [appointment, high, 2026-01-05, over]
</COMPANION_MEMORY>

[COMPANY MEMORY]
Company context:
Kim Ask, 2026-03-02:
- The auditor is Åhs (uncertain)
- The rent is 900 (the message seems to say otherwise)
- We are eleven (overruled by the live state: Employees = 12)
- We pay 48 000 (per month)
[END COMPANY MEMORY]"""


def test_lines_are_read_with_their_doubts_and_without_their_frames():
    """Marks, headings and lines of our own alone are no memories; the day of saying tells nothing, the day of what is to be does."""
    lines = read_lines(BLOCK, question="Where do I live?", said_on={"2026-03-02"})
    assert [(line.text, line.is_current) for line in lines] == [
        ('"i live in malmö <now>" background semantic', True),
        ('"i used to live in lund" background semantic not sure', False),
        ('"the trip was grand" episodic', True),
        ('"i sing" outdated?', False),
        ('"speech for erika" promise medium 2026-11-21', True),
        ('"dentist" appointment high 2026-01-05 over', False),
        ("the auditor is åhs uncertain", False),
        ("the rent is 900 the message seems to say otherwise", False),
        ("we are eleven overruled by the live state: employees = 12", False),
        ("we pay 48 000 per month", True),
    ]


def test_what_is_past_or_in_doubt_is_not_said_as_current():
    """It may stand there marked; unmarked it spoils the answer, and every line counts."""
    lines = read_lines(BLOCK, question="Where do I live?", said_on=())
    held = judge(lines, asked([["Malmö"]], must_not_say=["live in Lund", "dentist", "Åhs"]), tokens=9)
    assert held.is_met_now and held.is_undoubted
    assert (held.lines, held.useful, held.in_doubt) == (10, 1, 6)
    marked = judge(lines, asked([["live in Lund"]]), tokens=9)
    assert marked.is_met and not marked.is_undoubted
    spoilt = judge(
        as_lines(["I live in Malmö", "I live in Lund"]), asked([["Malmö"]], ["live in lund"]), tokens=9
    )
    assert spoilt.is_met and not spoilt.is_met_now
    half = judge(lines, asked([["Malmö"], ["Kalmar", "Öland"]]), tokens=9)
    assert half.needs == (True, False) and not half.is_met


def test_what_only_the_question_says_does_not_count():
    """However the request repeats it: whole, in part, in other marks, or among what was really said."""
    text = "Is it true that I was born in Kiruna, or was it Gällivare?"
    repeated = [
        f"- “{text}” [episodic, 2026-03-02]",
        "- “I was born in Kiruna” [semantic, gravity=0.5]",
        "- I WAS  BORN IN Kiruna (2026-03-02)",
        f"- You asked: “{text}”",
        "- “was it Gällivare?”",
    ]
    for line in repeated:
        found = judge(read_lines(line, question=text, said_on=()), asked([["Kiruna", "Gällivare"]]), tokens=1)
        assert not found.is_met, line
    told = read_lines("- “My gran lives in Kiruna” [semantic]", question=text, said_on=())
    assert judge(told, asked([["Kiruna"]]), tokens=1).is_met


def test_wordings_are_found_whatever_their_case_and_never_inside_a_longer_number():
    """Kinds of quotation marks and of spaces make no difference either."""
    cases = [
        ("from 1 Dec on", "1 dec", True),
        ("from 21 dec on", "1 dec", False),
        ("it is 48\u00a0000 kronor", "48 000", True),
        ("it is 148 000 kronor", "48 000", False),
        ("in 2026", "202", False),
        ("the train\u2019s late", "train's", True),
        ("GÄLLIVARE", "gällivare", True),
        ("v47", "7", False),
        ("v. 47.", "47", True),
    ]
    assert [(text, wording) for text, wording, found in cases if says(plain(text), (wording,)) != found] == []


def test_junk_is_known_in_what_a_memory_made_of_it():
    """Whole, shortened or with another beginning; a memory that shares a word or two is none of it."""
    junk = "if I had a million I would buy a castle in Spain"
    cases = {
        "She said: if I had a million I would buy a castle in Spain": True,
        "I would buy a castle in Spain": True,
        "With a million would buy a castle in Spain had I": True,
        "I saw a castle in Spain": False,
        "Spain": False,
    }
    assert {memory: is_made_of(memory, junk) for memory in cases} == cases


def test_a_loss_is_put_to_the_gate_where_it_happened():
    """The last moment at which it was there decides; what is there is followed through ranking, recall and choice."""
    need, other = ("bosse",), ("something else",)
    there, gone = (lambda after: Kept(after, ("my dog bosse",))), (lambda after: Kept(after, other))
    request = SimpleNamespace(recalled=[], ranked=[])
    cases = [
        ([gone("told"), gone("sleep")], request, False, GATES[0]),
        ([there("told"), gone("told"), gone("sleep")], request, False, GATES[1]),
        ([there("told"), there("sleep"), gone("sleep"), gone("clean_up")], request, False, GATES[2]),
        ([there("told"), gone("sleep"), there("told"), gone("clean_up")], request, False, GATES[3]),
        ([there("told"), gone("time")], request, True, GATES[4]),
        ([there("told")], request, False, GATES[5]),
        ([there("told")], SimpleNamespace(recalled=[], ranked=["Bosse"]), False, GATES[6]),
        ([there("told")], SimpleNamespace(recalled=["Bosse"], ranked=["Bosse"]), False, GATES[7]),
        ([there("told")], request, True, GATES[8]),
    ]
    found = [find_gate(need, kept, made, is_company=company) for kept, made, company, _ in cases]
    assert found == [gate for *_, gate in cases]


# --- the whole ------------------------------------------------------------------------------------------------------


def firm(**overrides):
    """The same life told by two people of a company."""
    sessions = [
        {"at": "2026-03-02T18:00", "by": "bo", "messages": ["Our auditor is called Helena Berg.", "haha ok"]},
        {
            "at": "2026-03-20T18:00",
            "by": "kim",
            "messages": ["We have decided to use K3 for the annual report."],
        },
    ]
    questions = [
        question("Who is our auditor?", [["Helena Berg"]]),
        question("Have we an office in Kiruna?", [["Kiruna"]]),
    ]
    life = tiny(
        id="firm", side="company", sessions=sessions, questions=questions, keep=[["K3"]], junk=["haha ok"]
    )
    return {**life, **overrides}


@pytest.mark.spec("G9", "C7")
def test_a_life_whose_numbers_are_known_by_hand(tmp_path):
    """Five messages and three: what plain methods must give is counted here; ours finds what was told, and nothing untold.

    The same life under another name gives the same, in another process; what stands only in a question is never found. A model's reply is
    judged beside it: whatever it repeats of the question counts for nothing.
    """
    for life in (tiny(), tiny(id="twin"), firm()):
        (tmp_path / f"{life['id']}.json").write_text(json.dumps(life), encoding="utf-8")
    with WireServer() as server:
        server.always(
            Act(text="Is it true that I was born in Kiruna, or was it Gällivare? Your dog is Bosse.")
        )
        model = {"ANTHROPIC_API_KEY": "test", "ANTHROPIC_BASE_URL": server.url}
        done = run("lifecycle", tmp_path, "--processes", 2, "--provider", "anthropic", "--json", **model)
        asked_for = [request.said for request in server.requests]
    assert done.returncode == 0 and done.stderr == "", done.stderr
    found = json.loads(done.stdout)
    assert set(TOLD) <= set(asked_for), "what was told was answered by the model, too"
    lives = {one["name"]: {**one, "name": "", "seconds": 0} for one in found["scenarios"]}
    assert lives["tiny"] == lives["twin"] and len(lives) == 3
    dog, home, untold = lives["tiny"]["questions"]
    messages = [*TOLD, *LATER]
    for way in ("ten nearest", "BM25 ten", "everything said"):
        assert dog["ways"][way] == {
            "needs": [True],
            "is_undoubted": True,
            "is_stale": False,
            "lines": 5,
            "useful": 1,
            "in_doubt": 0,
            "tokens": count(messages),
        }
        assert home["ways"][way]["needs"] == [True] and home["ways"][way]["is_stale"] is True
    assert dog["ways"]["ours"]["needs"] == home["ways"]["ours"]["needs"] == [True]
    assert dog["shown"]
    assert [one["by_model"] for one in lives["tiny"]["questions"]] == [True, False, False]
    assert found["student"]["reply_by_model"] == round(1 / 3, 4)
    for way in untold["ways"].values():
        assert way["needs"] == [False, False] and way["useful"] == 0
    assert not untold["shown"] and [gate for _, gate in untold["lost"]] == [GATES[0]] * 2
    assert lives["tiny"]["keep"] == [True, False]
    auditor, office = lives["firm"]["questions"]
    assert auditor["ways"]["ours"]["needs"] == [True] and auditor["shown"]
    assert office["ways"]["ours"]["needs"] == [False] and office["lost"] == [["Kiruna", GATES[0]]]
    assert lives["firm"]["keep"] == [True] and lives["firm"]["junk"] == [False]
    ours = found["all"]["ways"]["ours"]
    assert (ours["questions"], ours["met"]) == (8, round(5 / 8, 4))
    assert found["student"]["kept"] == 0.5 and found["company"]["ways"]["everything said"]["met"] == 0.5


@pytest.mark.usefixtures("measured_here")
def test_questions_of_recorded_conversations_are_counted_in_the_request(capsys):
    """Ours beside plain vectors and words, and whether the evidence stands in the request at all."""
    assert main([str(PROJECT / "tests" / "data" / "conversation-en.json"), "--conversations", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"request", "nearest", "bm25", "in the request"}
    assert all(found[way]["questions"] == 4 for way in ("request", "nearest", "bm25"))
    there = found["in the request"]
    assert found["request"]["any@10"] <= there["any"] <= 1 and there["all"] <= there["any"]
    assert found["nearest"]["any@10"] == 1.0 and there["tokens"] > 0
