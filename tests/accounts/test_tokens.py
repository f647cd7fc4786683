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


def bytes_of(text):
    return urlsafe_b64decode(text.removeprefix(PREFIX) + "==")


def opens_nothing(token, now=NOW):
    """Ask with a token's text or its bytes."""
    text = token if isinstance(token, str) else PREFIX + urlsafe_b64encode(token).decode().rstrip("=")
    with pytest.raises(BadToken):
        authenticate_token(text, now=now)


def test_a_token_opens_its_space_in_its_owner_s_name_and_its_text_is_kept_nowhere(ada, key):
    """What it opens is the very key; it may do what it was made for and nothing else. No row and no record has text or secret."""
    row, text = issue(ada, key, Scope.CHAT, Scope.LEDGER)
    bearer = authenticate_token(text, now=NOW + DAY)
    assert bearer.person == ada and bearer.space.pk == ada.space_id and bearer.token == row
    assert bearer.key.data_key == key.data_key
    assert bearer.may(Scope.CHAT) and bearer.may(Scope.LEDGER) and not bearer.may(Scope.MEMORY_READ)
    secret = bytes_of(text)[32:]
    with space_scope(ada.space_id):
        slot = KeySlot.objects.for_space(ada.space_id).get(pk=row.slot_id)
    for kept in (bytes(slot.wrapped_key), bytes(slot.salt)):
        assert secret not in kept and kept not in secret
    assert all(text not in str(event.data) for event in events(ada.space_id))
    assert text not in repr(bearer)


def test_a_revoked_token_opens_nothing_from_that_moment(ada, key):
    """Its key slot is gone; revoking twice is revoking once, and the row stays as history."""
    row, text = issue(ada, key)
    authenticate_token(text, now=NOW)
    slot = row.slot_id
    for moment in (NOW, NOW + DAY):
        revoke_token(ada.space_id, row.pk, actor=ada, now=moment)
    opens_nothing(text)
    with space_scope(ada.space_id):
        assert not KeySlot.objects.for_space(ada.space_id).filter(pk=slot).exists()
        assert ApiToken.objects.for_space(ada.space_id).get(pk=row.pk).revoked_at == NOW
    assert list_tokens(ada.space_id, now=NOW) == []
    assert actions(ada.space_id).count("accounts.token_revoked") == 1


def test_a_token_opens_until_it_expires_or_its_person_is_shut_out(ada, key):
    """At its very hour it opens nothing any more and is listed no longer; who cannot log in has no programs that can."""
    _row, text = issue(ada, key, expires_at=NOW + DAY)
    authenticate_token(text, now=NOW + DAY - timedelta(seconds=1))
    opens_nothing(text, now=NOW + DAY)
    assert list_tokens(ada.space_id, now=NOW + DAY) == []
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    opens_nothing(text)


def test_ids_and_secret_belong_together(ada, key):
    """None of space, token and secret can be exchanged for another's, nor a bit changed in one of them."""
    bo = make_student("bo").person
    _row, mine = issue(ada, key)
    _row, other = issue_token(open_space(bo), name="Bo", scopes=[Scope.CHAT], actor=bo, now=NOW)
    a, b = bytes_of(mine), bytes_of(other)
    changed = [a[:at] + bytes([a[at] ^ 1]) + a[at + 1 :] for at in (0, 20, 40, 63)]
    for raw in (*changed, a[:16] + b[16:], a[:32] + b[32:], b[:16] + a[16:], a[:16] + b[16:32] + a[32:]):
        opens_nothing(raw)


@given(st.one_of(st.text(max_size=120), st.binary(max_size=80).map(lambda raw: PREFIX + raw.hex())))
def test_whatever_else_is_sent_is_no_token(text):
    """Any text is refused in the same way, before anything is looked up where it has not the form."""
    opens_nothing(text)


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


# The section of the account page.


@pytest.fixture
def client(ada):
    return logged_in("ada")


def test_a_token_is_made_seen_once_and_listed(ada, client):
    """The page after the form shows it; the account page shows its name and what it is for, and never its text."""
    (text,) = re.findall(r"cmp_[A-Za-z0-9_-]{86}", client.post(MAKE, GIVEN).text)
    bearer = authenticate_token(text, now=timezone.now())
    assert bearer.person == ada and bearer.token.scopes == ["chat", "memory:read"]
    assert (bearer.token.expires_at - bearer.token.created_at).days == 30
    page = client.get(PAGE).text
    assert "My notes" in page and "Conversations: read and write" in page and "cmp_" not in page
    assert client.get(MAKE).status_code == 405


def test_what_does_not_fit_makes_none_and_a_stranger_s_is_404(ada, client):
    """The form comes back with what is wrong; a scope of no use to the person is none. Nobody revokes what is not theirs."""
    for wrong in (
        {"name": ""},
        {"scopes": []},
        {"scopes": ["company"]},
        {"scopes": ["all"]},
        {"lasts": "9999"},
    ):
        answer = client.post(MAKE, GIVEN | wrong)
        assert answer.status_code == 422 and "cmp_" not in answer.text, wrong
    assert list_tokens(ada.space_id, now=NOW) == []
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
    for role, owner, offered in (
        (Person.Role.STUDENT, None, set(Scope.values) - {"company", "agent"}),
        (Person.Role.BUSINESS, company, {"chat", "audit", "packs"}),
        (Person.Role.AUDITOR, company, {"company", "audit", "packs"}),
        (Person.Role.TEACHER, None, {"audit", "packs"}),
    ):
        assert {str(scope) for scope in scopes_for(Person(role=role, company=owner))} == offered, role
