"""Sums are worked out exactly, in the way the language writes numbers; what is no sum is left alone."""

from chat.notebook.sums import find_sum
from tests.cases import cases

WORKED_OUT = [
    ("en", "What is 17 times 6?", "17 * 6 = 102"),
    ("en", "what is 9/6?", "9 / 6 = 1.5"),
    ("en", "17*6", "17 * 6 = 102"),
    ("sv", "Vad är 17 gånger 6?", "17 * 6 = 102"),
    ("en", "12 + 30 / 5 - 2", "12 + 30 / 5 - 2 = 16"),
    ("en", "what's (12 + 30) / 6?", "(12 + 30) / 6 = 7"),
    ("sv", "vad blir 2,5 gånger 4", "2,5 * 4 = 10"),
    ("en", "2.5 \u00d7 4", "2.5 * 4 = 10"),
    ("en", "What is 1,250 plus 50?", "1,250 + 50 = 1,300"),
    ("sv", "1 250 + 50,5", "1 250 + 50,5 = 1 300,5"),
    ("sv", "1.250 minus 50", "1 250 - 50 = 1 200"),
    ("en", "15% of 240", "240 * 0.15 = 36"),
    ("sv", "vad är 15 procent av 240 kr?", "240 * 0,15 = 36"),
    ("en", "what percent is 36 of 240", "36 / 240 = 15%"),
    ("sv", "hur många procent är 36 av 240", "36 / 240 = 15 %"),
    ("en", "240 minus 15%", "240 * 0.85 = 204"),
    ("en", "How much is 1200 plus VAT?", "1,200 * 1.25 = 1,500"),
    ("sv", "Vad blir momsen på 1200 kr?", "1 200 * 0,25 = 300"),
    ("sv", "Hur mycket moms är det i 1 500?", "1 500 - 1 500 / 1,25 = 300"),
    ("en", "What is 500 with 12% VAT?", "500 * 1.12 = 560"),
    ("sv", "hur stor är momsen i 1500 kr", "1 500 - 1 500 / 1,25 = 300"),
    ("sv", "1500 exklusive moms", "1 500 / 1,25 = 1 200"),
    ("en", "1120 without VAT at 12%", "1,120 / 1.12 = 1,000"),
    ("en", "2^10", "2^10 = 1,024"),
    ("sv", "roten ur 144", "√144 = 12"),
    ("en", "9 squared minus 1", "9^2 - 1 = 80"),
    ("en", "10 / 3", "10 / 3 = 3.333333"),
    ("en", "-5 + 3", "- 5 + 3 = -2"),
]
LEFT_ALONE = [
    "I am 15 and my brother is 12.",
    "My exam is on 9/6 in hall 3",
    "Jag bor på Storgatan 12-14",
    "call 070-123 45 67",
    "1 / 0",
    "2 ^ 2 ^ 2 ^ 2 ^ 99",
    "99999999999999999999 * 9",
    "(((((((((1",
    "version 1.2.3 + 4",
    "3",
    "",
    "7 + __import__('os')",
    "²³ + 5",
    "vat",
    "When is VAT for Q3 due?",
    "Betalade vi moms för kvartal 2?",
    "What did we pay in VAT in 2025?",
    "Hur mycket moms betalade vi i 2025?",
    "Is our VAT return due on 12 May?",
    "Is 2026-11-24 a Tuesday?",
    "070-1234567",
    "Did we win 3-2?",
    "((9^60)^60)^60",
    "10^15",
    "9" * 300 + "*9",
]


@cases(("language", "text", "told"), WORKED_OUT)
def test_sums_are_worked_out(language, text, told):
    """The left side says how it was come by, the right side is exact or rounded at the sixth decimal."""
    found = find_sum(text, language)
    assert found is not None and found.write(language) == told


def test_what_is_no_sum_is_left_alone():
    """Dates, addresses, telephones, ages, junk and what has no value are no sums."""
    taken = {text: found for text in LEFT_ALONE if (found := find_sum(text, "en")) is not None}
    assert taken == {}
