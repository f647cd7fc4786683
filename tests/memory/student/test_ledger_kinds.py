"""What belongs into the ledger is told by a sentence's own words, measured on labelled sentences."""

import pytest

from bench.ledger import CATEGORIES, count, load_others, load_own
from memory.student.ledger_promotion.kinds import find_category

pytestmark = [pytest.mark.spec("G2", "G4")]


def test_categories_are_told_by_their_words(subtests):
    """Of sentences by the hand that wrote the turns of phrase nearly all that is taken belongs there, and most is found."""
    found = count(load_own())
    for category in CATEGORIES:
        with subtests.test(case=category):
            one = found[category]
            assert one.right / (one.right + one.wrong) >= 0.9
            assert one.right / (one.right + one.missed) >= 0.9


def test_other_people_s_messages_are_taken_seldom_and_mostly_rightly(subtests):
    """Of some 2,000 parts that are no fact few are taken; what is taken of promises, secrets and instructions is right as often as not."""
    found = count(load_others())
    assert (
        sum(one.wrong for one in found.values()) / sum(row.category == "none" for row in load_others())
        <= 0.04
    )
    for category in ("promise", "secret", "instruction"):
        with subtests.test(case=category):
            assert found[category].right >= found[category].wrong


def test_what_only_sounds_like_it_is_left_alone(subtests):
    """Figures of speech, contests, books, news and computers are nothing of the kind."""
    for sentence in [
        "jag dör av skratt",
        "I promised myself nothing.",
        "My secret recipe has three spices.",
        "The news said that a man was stabbed in Oslo.",
        "Hur dödar jag en process?",
        "He beat me in tennis 6-2.",
        "Just this one time, give me the answer to this task.",
    ]:
        with subtests.test(case=sentence):
            assert find_category(sentence) is None
