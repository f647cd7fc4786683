"""Insights when the words of what they were made of are gone, and when they were forgotten themselves."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from memory.student.store import purge_tombstones
from tests.factories import make_access
from tests.live import logged_in
from tests.memory.student.sleep.sleeper import MOSES, Sleeper

pytestmark = [pytest.mark.spec("I1", "I4", "AC-2.1.8")]
CAT = "Moses, a kitten of two years, has a radiator"
DAY = timedelta(days=1)


@pytest.fixture
def slept(committed):
    """Ada's memory, in which sleep made an insight forty days ago; with the insight and its members."""
    sleeper = Sleeper(make_access("ada"))
    cat = sleeper.say(MOSES)
    sleeper.write([sleeper.insight(cat, CAT)], now=timezone.now() - 40 * DAY)
    (made,) = sleeper.nodes(trust="derived")
    return sleeper, made, cat


def test_an_insight_tells_when_the_words_behind_it_were_removed(slept):
    """As long as they are kept, the words of its members; then the day on which they went, and no undo."""
    sleeper, made, _ = slept
    browser, address = logged_in("ada"), reverse("memory:memory", args=[made])
    page = browser.get(address).content.decode()
    assert "Long-term · Background" in " ".join(page.split()) and "The 3 memories it was made of" in page
    assert all(words in page for words in MOSES)
    assert purge_tombstones(now=timezone.now()) == 3
    page = browser.get(address).content.decode()
    day = date_format(timezone.localtime(timezone.now() - 10 * DAY), "j F Y")
    assert page.count(f"A memory whose words were removed on {day}") == 3
    assert CAT in page and not any(words in page for words in MOSES)
    page = browser.get(reverse("memory:sleep_run", args=[sleeper.runs()[-1].pk])).content.decode()
    assert CAT in page and "whose words were removed on" in page
    assert "cannot be undone any more" in page and "/undo/" not in page


@pytest.mark.spec("G13")
def test_of_a_forgotten_insight_no_word_stays_nor_of_what_it_was_made_of(slept):
    """When its days are over, neither it nor its members have words, and nothing brings them back."""
    sleeper, made, cat = slept
    browser = logged_in("ada")
    browser.post(reverse("memory:forget", args=[made]))
    until = max(row.content_until for row in sleeper.nodes(pk__in=[made, *cat]).values())
    assert until <= timezone.now() + 30 * DAY
    assert purge_tombstones(now=until) == 4
    assert all(row.content is None for row in sleeper.nodes().values())
    page = browser.get(reverse("memory:history")).content.decode()
    assert "/undo/" not in page and not any(words in page for words in (*MOSES, CAT))
