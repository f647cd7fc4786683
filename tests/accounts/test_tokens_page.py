"""The section of the account page on API tokens: made, seen once, listed, revoked."""

import re

import pytest
from django.utils import timezone

from companion_site.accounts.forms import scopes_for
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Scope, authenticate_token, issue_token, list_tokens
from companion_site.vault.sessions import COOKIE
from tests.cases import cases
from tests.factories import NOW, make_business_user, make_student, open_space
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

PAGE, MAKE = "/account/", "/account/tokens/"
GIVEN = {"name": "My notes", "scopes": ["chat", "memory:read"], "lasts": "30"}


@pytest.fixture
def client(ada):
    return logged_in("ada")


def text_in(answer) -> str:
    found = re.findall(r"cmp_[A-Za-z0-9_-]{86}", answer.text)
    assert len(found) == 1
    return found[0]


def test_a_token_is_made_seen_once_and_listed(ada, client):
    """The page after the form shows it; the account page shows its name and what it is for, and never its text."""
    text = text_in(client.post(MAKE, GIVEN))
    bearer = authenticate_token(text, now=timezone.now())
    assert bearer.person == ada and bearer.token.scopes == ["chat", "memory:read"]
    assert (bearer.token.expires_at - bearer.token.created_at).days == 30
    page = client.get(PAGE).text
    assert "My notes" in page and "Conversations: read and write" in page and "cmp_" not in page
    assert client.get(MAKE).status_code == 405


@cases(
    "wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["company"]}, {"scopes": ["all"]}, {"lasts": "9999"}]
)
def test_what_does_not_fit_makes_none(ada, client, wrong):
    """The form comes back with what is wrong; a scope that the person has no use for is none."""
    answer = client.post(MAKE, GIVEN | wrong)
    assert answer.status_code == 422 and "cmp_" not in answer.text
    assert list_tokens(ada.space_id, now=NOW) == []


def test_a_stranger_s_token_is_404(ada, client):
    """Neither a student nor anybody else revokes what is not theirs."""
    bo = make_student("bo").person
    row, text = issue_token(open_space(bo), name="Bo", scopes=["chat"], actor=bo, now=NOW)
    assert client.post(f"/account/tokens/{row.pk}/revoke/").status_code == 404
    authenticate_token(text, now=NOW)


def test_a_closed_memory_makes_no_token_and_still_revokes(ada, client):
    """Making takes the key; taking back takes none, so that a lost token can always be shut out."""
    row, _text = issue_token(open_space(ada), name="Old", scopes=["chat"], actor=ada, now=NOW)
    del client.cookies[COOKIE]
    assert client.post(MAKE, GIVEN).url == "/locked/"
    assert client.post(f"/account/tokens/{row.pk}/revoke/").status_code == 302
    assert list_tokens(ada.space_id, now=NOW) == []


def test_what_is_offered_follows_from_what_a_person_has(db):
    """Students have a memory, business users conversations, a company's auditors its memory; everybody their record."""
    company = make_business_user("bo").company
    offered = {
        role: {str(scope) for scope in scopes_for(Person(role=role, company=owner))}
        for role, owner in [
            (Person.Role.STUDENT, None),
            (Person.Role.BUSINESS, company),
            (Person.Role.AUDITOR, company),
            (Person.Role.TEACHER, None),
        ]
    }
    assert offered[Person.Role.STUDENT] == set(Scope.values) - {"company", "agent"}
    assert offered[Person.Role.BUSINESS] == {"chat", "audit", "packs"}
    assert offered[Person.Role.AUDITOR] == {"company", "audit", "packs"}
    assert offered[Person.Role.TEACHER] == {"audit", "packs"}
