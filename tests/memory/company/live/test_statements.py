"""Which key figures a sentence states as they are now, in both languages."""

import json
from pathlib import Path

import pytest

from memory.company.extraction.validation import is_covered
from memory.company.live.catalogue import FIGURES
from memory.company.live.statements import covers

LABELLED = json.loads((Path(__file__).parents[3] / "data/company_messages.json").read_text())

STATED = [
    ("2 employees", {"employees"}),
    ("Has 2 employees, considering a third", {"employees"}),
    ("Två anställda, konsultbolag", {"employees"}),
    ("Vi har en anställd", {"employees"}),
    ("Vi har inga anställda", {"employees"}),
    ("We have 2\u00a0employees", {"employees"}),
    ("Vi har sextio anställda", {"employees"}),
    ("We are twelve people employed", {"employees"}),
    ("Antal anställda: 4", {"employees"}),
    ("The bank balance is 412,000 kr", {"cash"}),
    ("Vi har 230 000 kr på kontot just nu", {"cash"}),
    ("Vi omsätter 4,5 mkr om året", {"revenue_year"}),
    ("The result so far this year is minus 40 000 kr", {"result_year"}),
    ("Resultatet är \u2212120 tkr", {"result_year"}),
]
#: What no company's books lack, told by its name and a number.
NAMED = [
    "Vi har 5 obetalda kundfakturor på totalt 45 000 kr",
    "3 of our invoices are overdue",
    "Öppna kundfakturor på 45 000 kr",
    "Tolv fakturor har förfallit",
    "Kundfordringarna är 96\u00a0400\u202fkr",
    "Accounts payable stand at 58,900 kr",
    "Moms att betala: 41 250 kr",
    "Det ligger 45 000 kr på skattekontot",
    "12 olästa mejl",
    "There are 7 unbooked transactions right now",
]
NOT_STATED = [
    "Considering hiring a third employee",
    "Hired employee Anna Svensson, started 2025-11-01",
    "We have 3 employees on parental leave",
    "Two employees left in May",
    "In 2019 we had 5 employees",
    "Vi planerar att ha tio anställda",
    "Holdingbolaget har inga anställda",
    "Main revenue from consulting (konto 3010)",
    "Omsättningen bokförs på konto 3010",
    "Revenue was 2 million last year",
    "Målet är att omsättningen är 5 miljoner",
    "Remind me when the bank balance is below 100 000 kr",
    "Took 120k dividend (Dec 2025)",
    "The share capital is 25 000 kr",
    "The profit margin is 12 percent",
    "Vi fakturerar alltid med 20 dagars betalningstid",
    "Owner holds 100% of shares",
    "",
]


def test_a_figure_of_today_is_stated(subtests):
    """A number with what it is of, however it is put."""
    for sentence, keys in STATED:
        with subtests.test(sentence=sentence, keys=keys):
            assert covers(sentence) == keys
    for sentence in NAMED:
        with subtests.test(sentence=sentence):
            assert is_covered(sentence)


def test_a_decision_about_a_figure_and_what_stands_nowhere_are_kept():
    """How many people work there is in the books only once it was pushed."""
    assert not is_covered("We decided to pay the 11 unpaid invoices")
    assert not is_covered("We have nine employees") and is_covered("We have nine employees", ("employees",))


def test_plans_limits_parts_and_the_past_state_nothing(subtests):
    """What is not how the company stands today is worth remembering, and is no figure of the books."""
    for sentence in NOT_STATED:
        with subtests.test(case=sentence):
            assert covers(sentence) == frozenset()


def test_labelled_messages():
    """Of the labelled messages that the books cover nearly all state a figure; of facts worth keeping nearly none do."""
    covered = [is_covered(item["text"], FIGURES) for item in LABELLED if item["kind"] == "covered"]
    facts = [fact["content"] for item in LABELLED if item["kind"] == "fact" for fact in item["facts"]]
    others = [content for content in facts if "employ" not in content and "anställ" not in content]
    kept = [not is_covered(content, FIGURES) for content in others]
    assert len(covered) >= 15 and sum(covered) / len(covered) >= 0.8
    assert sum(kept) / len(kept) >= 0.98


@pytest.mark.slow
def test_a_long_row_of_anything_is_read_to_its_end(subtests):
    """Patterns are bounded: a pasted column of numbers is passed over as fast as a sentence."""
    for part in ["12 ", "1 000", "we have 12 000 ", "revenue is about ", "två fasta ", "cash a"]:
        with subtests.test(case=part):
            assert covers(part * 3000) == frozenset()
