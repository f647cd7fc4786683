"""Sheets of facts and edges that are judged by hand."""

import csv
import json
from dataclasses import asdict, replace

import pytest

from bench.commands import BAD_INPUT, BadInput
from bench.sheet import (
    COLUMNS,
    DRAWN,
    EDGE,
    FACT,
    Row,
    count,
    draw,
    main,
    read_sheet,
    write_sheet,
)
from chat.demo.recordings import parse_conversation
from companion_site.running import PROJECT
from tests.bench.test_conversations import make_file

SHEETS = sorted((PROJECT / "bench" / "data" / "sheets").glob("*.tsv"))
KEPT = Row(FACT, "semantic", "D1:1 Anna", "I have a dog.", junk="n", alone="y")
TOLD = Row(EDGE, "ABOUT", "D1:1 Anna", "I have a dog.", to="animal “a dog”", other="dog", right="y")


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, dialect="excel-tab", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
    return path


def test_a_judged_sheet_is_counted(tmp_path):
    """Shares of facts and of edges, each by its own columns, and each type of edge by itself."""
    talk = replace(KEPT, text="Take care!", junk="y", alone="n")
    figures = count(
        read_sheet(write(tmp_path / "one.tsv", [KEPT, talk, TOLD, TOLD, replace(TOLD, right="n")]))
    )
    assert (figures.facts, figures.junk, figures.alone) == (2, 0.5, 0.5)
    assert (figures.edges, figures.right, figures.types) == (3, pytest.approx(2 / 3), (("ABOUT", 2, 3),))


def test_what_is_not_judged_is_named_by_its_line(tmp_path, capsys):
    """An empty judgement is no "no", and a file of another form no sheet."""
    path = write(tmp_path / "one.tsv", [KEPT, replace(TOLD, right="")])
    with pytest.raises(BadInput, match=r"line 3: right is not judged"):
        read_sheet(path)
    path.write_text("a\tb\n1\t2\n", encoding="utf-8")
    assert main(["--count", str(path)]) == BAD_INPUT
    assert main(["--count", str(tmp_path / "nowhere.tsv")]) == BAD_INPUT
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.django_db(transaction=True, databases=["default", "metadata"])
def test_a_lived_conversation_is_drawn_from_the_same_way_twice(capsys):
    """Facts have the turn that they came from, edges lead to who and what is named; nothing is judged yet."""
    turns = [
        {"id": "D1:1", "speaker": "Anna", "text": "My brother Noah plays handball in Lund. I want to become a nurse."},
        {"id": "D1:2", "speaker": "Lars", "text": "My dog Bosse is seven years old and sleeps in the kitchen."},
    ]  # fmt: skip
    sessions = [{"id": "D1", "at": "2023-05-08T13:56:00", "turns": turns}]
    conversation = parse_conversation(json.loads(json.dumps(make_file(language="en", sessions=sessions))))
    rows, again = (draw(conversation, seed=3, many=4) for _ in range(2))
    assert [asdict(row) for row in rows] == [asdict(row) for row in again]
    facts = [row for row in rows if row.part == FACT]
    assert {row.turn for row in facts} == {"D1:1 Anna 2023-05-08", "D1:2 Lars 2023-05-08"}
    assert {row.text for row in facts} >= {"My dog Bosse is seven years old and sleeps in the kitchen."}
    assert any(row.part == EDGE and row.other.startswith(("Noah", "Bosse")) for row in rows)
    assert not any(row.junk or row.alone or row.right for row in rows)
    write_sheet(rows)
    assert capsys.readouterr().out.splitlines()[0].split("\t") == COLUMNS


#: sheets of memories that had fewer edges
FEWER = {
    "locomo-26-3-talk": 72,
    "locomo-26-4-edges": 51,
    "locomo-26-5-passages": 55,
    "locomo-26-6-exchange": 55,
}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_sheets_are_whole(path):
    """Every sheet in the repository has a hundred facts and a hundred edges, or as many as there were to draw, all of them judged."""
    figures = count(read_sheet(path))
    assert figures.facts == DRAWN and figures.edges == FEWER.get(path.stem, DRAWN)
