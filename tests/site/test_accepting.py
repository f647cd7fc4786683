"""Which form of answer a request would rather have."""

from django.test import RequestFactory

from companion_site.http import wants_json
from tests.cases import cases


@cases(
    ("accept", "wanted"),
    [
        ("application/json", True),
        ("application/json;q=0.9, text/html;q=0.1", True),
        ("application/json, text/plain, */*", True),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
        ("text/html, application/json", False),
        ("*/*", False),
        ("", False),
        ("nonsense", False),
        ("text/html;x=application/json", False),
    ],
)
def test_json_is_for_who_asks_for_it(accept, wanted):
    """A script that asks for JSON before a page gets it; a browser, and whoever says nothing, gets the page."""
    headers = {"Accept": accept} if accept else {}
    assert wants_json(RequestFactory().post("/", headers=headers)) is wanted
