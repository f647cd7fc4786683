"""How an answer in a quiz is judged: names in their forms and nearly spelled so, explanations by their meaning."""

import json

from chat.quiz.items import Item, judge_explanation, judge_name
from companion_site.language import tokens
from companion_site.running import PROJECT
from tests.cases import cases

WORLD = json.loads((PROJECT / "overlay" / "world_data" / "school_science.json").read_text())
PAIRS = json.loads((PROJECT / "tests" / "data" / "quiz_answers.json").read_text())
ITEMS = {
    row["id"]: Item(row["id"], (row["name"], *row["aliases"]), row["description"], row["kind"])
    for row in WORLD["concepts"]
}


def others(key: str) -> list[Item]:
    return [item for item in ITEMS.values() if item.key != key]


def count_right(rows: list[dict], judge) -> int:
    return sum(judge(row) == row["right"] for row in rows)


def judge_by_meaning(row: dict) -> bool:
    item = ITEMS[row["concept"]]
    return judge_explanation(row["answer"], item, others(item.key)) == "right"


def share_words(row: dict) -> float:
    """Return the share of an answer's words that stand in the description."""
    said = set(tokens(row["answer"], row["language"]))
    return len(said & set(tokens(ITEMS[row["concept"]].description, row["language"]))) / max(len(said), 1)


def test_explanations_are_judged_better_than_by_shared_words():
    """The 40 by which the bars were chosen, and 20 written without a look at them; shared words at the bar that suits them best."""
    chosen_by = [row for row in PAIRS if not row.get("kept_back")]
    kept_back = [row for row in PAIRS if row.get("kept_back")]
    bar = max(
        map(share_words, PAIRS), key=lambda bar: count_right(PAIRS, lambda row: share_words(row) >= bar)
    )
    counts = {
        "meaning": [count_right(rows, judge_by_meaning) for rows in (chosen_by, kept_back)],
        "shared words": [
            count_right(rows, lambda row: share_words(row) >= bar) for rows in (chosen_by, kept_back)
        ],
    }
    assert (len(chosen_by), len(kept_back)) == (40, 20)
    assert counts == {"meaning": [40, 17], "shared words": [29, 13]}


@cases(
    ("said", "concept", "verdict"),
    [
        ("it's the cell nucleus", "cell-nucleus", "right"),
        ("cellkärnorna", "cell-nucleus", "right"),
        ("nucleus", "cell-nucleus", "nearly"),
        ("cell", "cell-nucleus", "wrong"),
        ("mitocondria", "mitochondrion", "right"),
        ("osmsois", "osmosis", "right"),
        ("Är det klorofyllet?", "chlorophyll", "right"),
        ("meiosis", "mitosis", "wrong"),
        ("Newton's third law", "newton-1", "wrong"),
        ("osmosis or diffusion", "osmosis", "nearly"),
        ("mitosis, meiosis, osmosis, diffusion, friction", "osmosis", "nearly"),
        ("osmosis " + "and so on " * 3_000, "osmosis", "nearly"),
        ("x" * 20_000, "osmosis", "wrong"),
    ],
)
def test_a_name_counts_in_its_forms_and_with_a_slip(said, concept, verdict):
    """Whoever names several things, or writes a book around one, has not said which is meant."""
    assert judge_name(said, ITEMS[concept], others(concept)) == verdict


def test_to_say_the_name_again_explains_nothing():
    """Nor does a name with a word or two around it."""
    item = ITEMS["osmosis"]
    assert judge_explanation("Osmosis", item, others("osmosis")) == "wrong"
    assert judge_explanation("osmosis is just osmosis", item, others("osmosis")) != "right"


def test_a_description_does_not_give_its_name_away():
    """The thing's own names are veiled, and what is left must say something."""
    arch = Item(
        "a", ("Round arch", "rundbåge"), "A round arch, or rundbågar, of stones that lean.", "Building"
    )
    assert arch.veiled == "A …, or …, of stones that lean."
    assert Item("b", ("Keystone",), "The keystone.", "Building").veiled == ""
