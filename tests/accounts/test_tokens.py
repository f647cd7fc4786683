"""API tokens: what one opens and for how long, who is told of it, that nothing of it is kept, and where a person makes one."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from companion_site.accounts.errors import BadToken, TooManyTokens
from companion_site.accounts.forms import scopes_for
from companion_site.accounts.models import ApiToken, Person
from companion_site.accounts.tokens import (
    MOST,
    NOTED_EVERY,
    PREFIX,
    Scope,
    authenticate_token,
    issue_token,
    list_tokens,
    revoke_token,
)
from companion_site.audit.services import find_breaks
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from companion_site.vault.sessions import COOKIE
from tests.audit.record import actions, events
from tests.cases import cases
from tests.factories import NOW, make_business_user, make_student, open_space
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

DAY = timedelta(days=1)
PAGE, MAKE = "/account/", "/account/tokens/"
GIVEN = {"name": "My notes", "scopes": ["chat", "memory:read"], "lasts": "30"}


@pytest.fixture
def key(ada):
    return open_space(ada)


def issue(ada, key, *scopes, **options):
    return issue_token(key, name="Notes", scopes=scopes or [Scope.CHAT], actor=ada, now=NOW, **options)


def test_a_token_opens_its_space_in_its_owner_s_name(ada, key):
    """What it opens is the very key; it may do what it was made for and nothing else."""
    row, text = issue(ada, key, Scope.CHAT, Scope.LEDGER)
    bearer = authenticate_token(text, now=NOW + DAY)
    assert bearer.person == ada and bearer.space.pk == ada.space_id and bearer.token == row
    assert bearer.key.data_key == key.data_key
    assert bearer.may(Scope.CHAT) and bearer.may(Scope.LEDGER) and not bearer.may(Scope.MEMORY_READ)


def test_the_text_of_a_token_is_kept_nowhere(ada, key):
    """Neither the text nor its secret stands in a row, in the record, or in the name of the token's row."""
    row, text = issue(ada, key)
    secret = urlsafe_b64decode(text.removeprefix(PREFIX) + "==")[32:]
    with space_scope(ada.space_id):
        slot = KeySlot.objects.for_space(ada.space_id).get(pk=row.slot_id)
    for kept in (bytes(slot.wrapped_key), bytes(slot.salt)):
        assert secret not in kept and kept not in secret
    assert all(text not in str(event.data) for event in events(ada.space_id))
    assert text not in repr(authenticate_token(text, now=NOW))


def test_a_revoked_token_opens_nothing_from_that_moment(ada, key):
    """Its key slot is gone; revoking twice is revoking once, and the row stays as history."""
    row, text = issue(ada, key)
    authenticate_token(text, now=NOW)
    slot = row.slot_id
    for moment in (NOW, NOW + DAY):
        revoke_token(ada.space_id, row.pk, actor=ada, now=moment)
    with pytest.raises(BadToken):
        authenticate_token(text, now=NOW)
    with space_scope(ada.space_id):
        assert not KeySlot.objects.for_space(ada.space_id).filter(pk=slot).exists()
        assert ApiToken.objects.for_space(ada.space_id).get(pk=row.pk).revoked_at == NOW
    assert list_tokens(ada.space_id, now=NOW) == []
    assert actions(ada.space_id).count("accounts.token_revoked") == 1


def test_a_token_opens_until_it_expires(ada, key):
    """At its very hour it opens nothing any more and is listed no longer."""
    _row, text = issue(ada, key, expires_at=NOW + DAY)
    authenticate_token(text, now=NOW + DAY - timedelta(seconds=1))
    with pytest.raises(BadToken):
        authenticate_token(text, now=NOW + DAY)
    assert list_tokens(ada.space_id, now=NOW + DAY) == []


def test_another_s_ids_with_an_own_secret_open_nothing(ada, key):
    """Space, token and secret belong together: none of them can be exchanged for another's."""
    bo = make_student("bo").person
    _row, mine = issue(ada, key)
    _row, other = issue_token(open_space(bo), name="Bo", scopes=[Scope.CHAT], actor=bo, now=NOW)
    a, b = (urlsafe_b64decode(text.removeprefix(PREFIX) + "==") for text in (mine, other))
    for mixed in (a[:16] + b[16:], a[:32] + b[32:], b[:16] + a[16:], a[:16] + b[16:32] + a[32:]):
        with pytest.raises(BadToken):
            authenticate_token(PREFIX + urlsafe_b64encode(mixed).decode().rstrip("="), now=NOW)


@given(st.one_of(st.text(max_size=120), st.binary(max_size=80).map(lambda raw: PREFIX + raw.hex())))
def test_whatever_else_is_sent_is_no_token(text):
    """Any text is refused in the same way, before anything is looked up where it has not the form."""
    with pytest.raises(BadToken):
        authenticate_token(text, now=NOW)


@pytest.mark.parametrize("place", [0, 20, 40, 63])
def test_a_token_with_one_bit_changed_opens_nothing(ada, key, place):
    """Wherever the bit is: in the space, the token or the secret."""
    _row, text = issue(ada, key)
    raw = bytearray(urlsafe_b64decode(text.removeprefix(PREFIX) + "=="))
    raw[place] ^= 1
    with pytest.raises(BadToken):
        authenticate_token(PREFIX + urlsafe_b64encode(bytes(raw)).decode().rstrip("="), now=NOW)


def test_there_is_an_end_to_tokens(ada, key):
    """So many stand at once; a revoked one makes room."""
    rows = [issue(ada, key)[0] for _number in range(MOST)]
    with pytest.raises(TooManyTokens):
        issue(ada, key)
    revoke_token(ada.space_id, rows[0].pk, actor=ada, now=NOW)
    issue(ada, key)
    assert len(list_tokens(ada.space_id, now=NOW)) == MOST


def test_use_is_on_record_once_an_hour(ada, key):
    """The row tells the last hour of use; the record has who used what, and holds."""
    row, text = issue(ada, key)
    for moment in (NOW, NOW + NOTED_EVERY / 2, NOW + NOTED_EVERY):
        authenticate_token(text, now=moment)
    assert actions(ada.space_id, "accounts.token_") == ["accounts.token_issued", *["accounts.token_used"] * 2]
    assert list_tokens(ada.space_id, now=NOW)[0].last_used_at == NOW + NOTED_EVERY
    assert not list(find_breaks(ada.space_id)) and row.name == "Notes"


def test_a_token_of_somebody_shut_out_opens_nothing(ada, key):
    """Who cannot log in has no programs that can."""
    _row, text = issue(ada, key)
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    with pytest.raises(BadToken):
        authenticate_token(text, now=NOW)


# The section of the account page.


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
