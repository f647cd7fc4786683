"""What is no text reaches no form, no query and no log: every page and API says so, and none breaks."""

import itertools
from base64 import b64encode

import pytest
from django.test import Client

from companion_site.accounts.strict_json import BadJson, load_json
from companion_site.characters import with_readable_headers
from tests.factories import PASSWORD, make_student
from tests.live import logged_in, logged_in_staff
from tests.site.test_client_address import ask

pytestmark = pytest.mark.django_db
NEW = "another long password"
#: Public forms, each with what it is sent whole.
FORMS = {
    "/login/": {"username": "ada", "password": PASSWORD, "next": "/"},
    "/recover/": {"username": "ada", "code": "AAAA", "new_password": NEW, "repeat": NEW},
    "/start-anew/": {
        "username": "ada", "current_password": PASSWORD, "new_password": NEW, "repeat": NEW, "confirm": "on",
    },
    "/i18n/setlang/": {"language": "sv", "next": "/"},
}  # fmt: skip
PLACES = ("/", "/login/", "/recover/", "/healthz", "/chat/", "/account/",
    "/admin/", "/admin/accounts/person/", "/memory/", "/api/v1/me", "/api/xapi/statements", "/nowhere/", "/mcp")  # fmt: skip
CHARSETS = ("hex", "rot13", "unicode_escape", "utf-16", "utf-7", "idna", "latin-1", "x" * 200, "")
LANGUAGES = (
    "sv",
    "\x7f",
    "x" * 5000,
    "sv;q=nan",
    "*;q=1e999",
    "../../etc",
    "é",
    "sv-" + "-".join(["a"] * 500),
)


def test_every_form_refuses_what_is_no_text():
    """A NUL in any field of any public form, in its name or beside it, is a 400 that says so; what is half a character is none."""
    make_student("ada")
    wrong = []
    for page, fields in FORMS.items():
        for name in (*fields, "more"):
            for given in ({**fields, name: f"{fields.get(name, '')}\x00"}, {**fields, f"{name}\x00": "x"}):
                answer = Client().post(page, given)
                if answer.status_code != 400 or "<h1" not in answer.text or "sessionid" in answer.cookies:
                    wrong.append((page, name, answer.status_code))
            half = "&".join(f"{key}=a%ED%A0%80%FF" for key in (*fields, name))
            answer = Client().post(page, half, content_type="application/x-www-form-urlencoded")
            if answer.status_code not in (200, 302, 400, 404, 429):
                wrong.append((page, "half", answer.status_code))
    assert wrong == []


def test_a_query_is_refused_in_the_language_of_who_asks():
    """That of their profile, where they have chosen no other in this browser."""
    make_student("elsa", language="sv")
    answer = logged_in("elsa").get("/chat/search/?q=%00", headers={"Accept-Language": "en"})
    assert answer.status_code == 400 and "Det gick inte att förstå" in answer.text


@pytest.mark.slow
def test_no_address_query_cookie_or_header_breaks_a_page():
    """Whatever stands in them, a page answers as without it or refuses it; none fails."""
    people = (Client(), logged_in_staff())
    broken = []
    hostile = [
        ({"QUERY_STRING": "q=%00"}, (400, 401, 404)),
        ({"QUERY_STRING": "%00=q"}, (400, 401, 404)),
        ({"QUERY_STRING": "q=%ED%A0%80&o=%FF&p=%25%5F%5C"}, None),
        ({"HTTP_AUTHORIZATION": "Basic " + b64encode(b"\x00:\x00").decode()}, None),
        ({"HTTP_AUTHORIZATION": "Bearer \x00"}, None),
        *(({"HTTP_ACCEPT_LANGUAGE": language}, None) for language in LANGUAGES),
    ]  # fmt: skip
    for client in people:
        client.raise_request_exception = False
        for place, (given, expected) in itertools.product(PLACES, hostile):
            status = client.generic("GET", place, **given).status_code
            if (status >= 500) or (expected and status not in expected):
                broken.append((place, given, status))
        for place in ("/chat/{}/", "/{}", "/static/{}", "/admin/accounts/person/{}/change/", "/api/v1/{}"):
            status = client.get(place.format("\x00")).status_code
            if status not in (400, 404):
                broken.append((place, status))
    assert broken == []


async def test_no_cookie_or_coding_breaks_a_page(db):
    """A cookie that is no text counts as not sent, and every body is read as UTF-8, whatever it is called."""
    nul = '"' + "a" * 32 + '\\000"'
    names = ("sessionid", "csrftoken", "companion_key", "companion_browser", "django_language", "messages")
    cookies = [
        ("cookie", "; ".join(f"{name}={nul}" for name in names)),
        *(("cookie", f"{name}={nul}") for name in names),
    ]
    kinds = [("content-type", f"{kind}; charset={charset}") for charset in CHARSETS for kind in
        ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json")]  # fmt: skip
    broken = []
    for header in (*cookies, *kinds):
        for method, path in (
            ("GET", "/login/"),
            ("POST", "/login/"),
            ("GET", "/chat/"),
            ("GET", "/api/v1/me"),
        ):
            status, _ = await ask(
                with_readable_headers,
                [header],
                path=path,
                method=method,
                query=b"q=a%5Cud800",
                body=b"username=a",
            )
            if status >= 500:
                broken.append((header, method, path, status))
    assert broken == []


def test_json_with_a_nul_is_refused():
    """Escaped, wherever it stands."""
    for body in (b'"\\u0000"', b'{"a": [{"b": "x\\u0000"}]}', b'{"\\u0000": 1}'):
        with pytest.raises(BadJson, match="NUL"):
            load_json(body)


async def test_a_socket_does_not_see_a_cookie_that_is_no_text():
    """Who sends one is nobody, in place of an error."""
    seen = []

    async def app(scope, receive, send):
        seen.append([name for name, _ in scope["headers"]])

    for cookie in (b"sessionid=abc", b'a=b; sessionid="abc\\000"'):
        headers = [(b"host", b"x"), (b"cookie", cookie)]
        await with_readable_headers(app)({"type": "websocket", "headers": headers}, None, None)
    assert seen == [[b"host", b"cookie"], [b"host"]]


def test_a_page_never_repeats_a_secret():
    """A refused form comes back without passwords and code, also where something else in it was wrong."""
    make_student("ada")
    names = ("password", "current_password", "code", "new_password", "repeat")
    secrets = {name: f"s3cret-{name}-typed" for name in names}
    for page, wrong in itertools.product(
        ("/login/", "/recover/", "/start-anew/"), ({}, {"username": ""}, {"repeat": "x"})
    ):
        answer = Client().post(page, {"username": "ada", **secrets, **wrong})
        assert answer.status_code == 200 and [word for word in secrets.values() if word in answer.text] == []
