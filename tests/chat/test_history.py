"""A conversation of any length opens with its newest part; the others are a link away, each message once and in order."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from chat.conversations.history import PART
from chat.models import Conversation
from tests.cases import cases
from tests.chat.talking import message_at
from tests.factories import fill_conversation
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C2")]


def fill(access, count: int) -> Conversation:
    """Return a conversation of so many messages, "m1" the first, a minute apart and no reply under way."""
    return fill_conversation(access, [f"m{position}." for position in range(1, count + 1)])


def positions(html: str) -> list[int]:
    return [int(number) for number in re.findall(r"\bm(\d+)\.", html)]


def test_a_long_conversation_costs_what_a_short_one_does(access):
    """Of 5,000 messages fifty are read and drawn, with as many queries as of sixty, none of them with an OFFSET."""
    page = logged_in(access.person.username)
    asked = []
    for count in (60, 5000):
        address = reverse("chat:conversation", args=[fill(access, count).pk])
        page.get(address)
        with CaptureQueriesContext(connection) as queries:
            html = page.get(address).text
        assert positions(html) == list(range(count - PART + 1, count + 1))
        assert html.count("<article") - html.count("<template") == PART
        asked.append([query["sql"] for query in queries])
    assert len(asked[0]) == len(asked[1])
    assert not any("OFFSET" in sql for sql in asked[1])


@cases(("way", "count"), [("before", 120), ("after", 120), ("before", PART), ("after", 1)])
def test_the_links_lead_through_all_of_it(access, way, count):
    """From the newest back to the first, or on to the newest: every message once, also where a part ends the conversation."""
    row = fill(access, count)
    page, address = logged_in(access.person.username), reverse("chat:conversation", args=[row.pk])
    link, seen = address if way == "before" else f"{address}?after=0", []
    while link:
        html = page.get(link).text
        seen = [*positions(html), *seen] if way == "before" else [*seen, *positions(html)]
        found = re.search(rf'href="([^"]+\?{way}=\d+)"', html)
        link = found and found[1]
    assert seen == list(range(1, count + 1))


def test_a_hit_opens_the_part_around_it(access):
    """What a search finds stands there with what was said before and after it, and both ways on; a page that holds another part gets one by itself."""
    row = fill(access, 300)
    page, hit = logged_in(access.person.username), message_at(access, row, 100)
    found = page.get(reverse("chat:search"), {"q": "m100"}).text
    link = re.search(rf'href="([^"#]+)#message-{hit.pk}"', found)[1]
    html = page.get(link).text
    assert positions(html) == list(range(76, 126)) and f'id="message-{hit.pk}"' in html
    assert "?before=76" in html and "?after=125" in html
    part = page.get(reverse("chat:conversation", args=[row.pk]), {"before": "71", "part": "1"}).text
    assert positions(part) == list(range(21, 71)) and "<html" not in part and "?before=21" in part
    assert page.get(reverse("chat:said", args=[hit.pk])).url == f"{link}#message-{hit.pk}"


@cases(
    ("given", "status"),
    [
        ({"before": "x"}, 400),
        ({"after": "9" * 5000}, 400),
        ({"before": "9" * 30}, 200),
        ({"before": "-1"}, 200),
        ({"at": "x"}, 404),
        ({"at": str(uuid4())}, 404),
    ],
)
def test_what_is_no_place_in_it_is_refused(access, given, status):
    """No number and no message of the conversation shows anything, and a number beyond its ends breaks nothing."""
    row = fill(access, 3)
    page = logged_in(access.person.username)
    assert page.get(reverse("chat:conversation", args=[row.pk]), given).status_code == status
