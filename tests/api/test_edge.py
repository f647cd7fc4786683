"""The edge that all endpoints share: who gets in, what is refused and how, pages, repeats and limits."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from chat.models import Conversation, Message
from companion_site.accounts.tokens import revoke_token
from companion_site.api import views
from companion_site.api.body import BODY_BYTES
from companion_site.api.idempotency import GIVEN_UP_AFTER, KEPT_FOR, drop_kept_answers
from companion_site.api.models import KeptAnswer
from companion_site.vault.scope import space_scope
from companion_site.vault.services import create_agent_space
from tests.api.conftest import V1, make_program
from tests.api.content import NO_ID, count, problem
from tests.factories import NOW, make_access
from tests.live import logged_in
from tests.racing import at_once

pytestmark = pytest.mark.spec("K10")


def test_without_a_token_that_opens_something_nobody_gets_in(db):
    """401 with the challenge: nothing, a page's cookie, what is no token, one that was revoked or has expired."""
    access = make_access("ada")
    program = make_program(access)
    old = make_program(access, expires_at=NOW + timedelta(days=1))
    revoke_token(access.space, program.get("me").json()["token"]["id"], actor=access.person, now=NOW)
    strange = ("Bearer nonsense", "Bearer cmp_" + "A" * 86, "Bearer cmp_åäö")
    for code, header, client in (
        ("token.missing", {}, logged_in("ada")),
        *(("token.missing", {"Authorization": text}, Client()) for text in ("", "Basic YTpi", "Bearer")),
        *(("token.bad", {"Authorization": text}, Client()) for text in strange),
        *(("token.bad", {"Authorization": f"Bearer {gone.text}"}, Client()) for gone in (program, old)),
    ):
        answer = client.get(f"{V1}me", headers=header)
        problem(answer, 401, code)
        assert answer["WWW-Authenticate"].startswith('Bearer realm="Companion"')
        assert ("invalid_token" in answer["WWW-Authenticate"]) == (code == "token.bad")


def test_an_agent_s_token_reaches_nothing_of_its_owner(db):
    """It opens the agent's space and no other, with the record of that space."""
    access = make_access("ada")
    _space, agent_key = create_agent_space(owner=access.person, now=NOW)
    agent = make_program(access, key=agent_key)
    me = agent.get("me").json()
    assert me["person"] is None and me["space"]["kind"] == "agent" and me["space"]["id"] != str(access.space)
    assert [space["kind"] for space in agent.get("spaces").json()["items"]] == ["agent"]
    actions = {event["action"] for event in agent.get("audit/events").json()["items"]}
    assert "accounts.token_issued" in actions and "vault.unlocked" not in actions


def test_an_address_a_method_or_a_content_type_that_is_none_is_told_as_a_problem(asking):
    """With a token or without; 405 with Allow, and nothing describes itself by OPTIONS; a form is no JSON, whatever it holds."""
    for path in ("nothing", "conversations/", "conversations/no-id", "me/more", "admin/"):
        problem(asking.get(path), 404, "not-found")
        problem(Client().post(V1 + path), 404, "not-found")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = Client().generic(
            "POST", V1 + "conversations", b"{}", content_type=kind, HTTP_AUTHORIZATION=f"Bearer {asking.text}"
        )
        problem(answer, 415, "api.media-type")
    for method in ("PUT", "OPTIONS", "DELETE"):
        answer = asking.ask(method, "conversations")
        problem(answer, 405, "api.no-such-method")
        assert set(answer["Allow"].split(", ")) == {"GET", "POST", "HEAD"}


def test_a_body_that_does_not_fit_is_refused_whole(asking):
    """Nothing of it is said; the answer repeats nothing of it. One byte beyond the limit is not read; the longest message fits."""
    path = f"conversations/{asking.begin()}/messages"
    for body, status, code in (
        (b"", 400, "api.bad-request"),
        (b"{", 400, "api.bad-json"),
        (b'{"text": null}', 400, "api.bad-request"),
        (b'{"text": "a", "wait_s": "5"}', 400, "api.bad-request"),
        (b'{"text": "a", "wait_s": true}', 400, "api.bad-request"),
        (b'{"text": "a", "client_id": 5}', 400, "api.bad-request"),
        (b'{"text": " \\u200b "}', 422, "message.empty"),
        (b" " * (BODY_BYTES + 1), 413, "api.too-large"),
        (b"x" * (8 * 2**20), 413, "api.too-large"),
    ):
        problem(asking.post(path, body), status, code)
    assert count(Message, asking.access.space) == 0
    assert len(json.dumps({"text": "\U0001f600" * settings.MESSAGE_MAX_CHARS})) < BODY_BYTES


def test_what_takes_no_body_takes_no_field(asking):
    """An empty object is none; a field that means nothing is refused there as well."""
    path = f"ledger/entries/{NO_ID}/retire"
    assert "nonsense" in problem(asking.post(path, {"nonsense": 1}), 400, "api.bad-request")["fields"]
    problem(asking.post(path, {}), 404, "not-found")
    problem(asking.ask("POST", path), 404, "not-found")


#: Queries that fit nothing, by the address that they are sent to.
UNFIT = {
    "conversations": "limit=0 limit=201 limit=x limit=1.0 limit= limit=%00 page=2 LIMIT=3 memory_on=yes memory_on= "
    f"cursor=x cursor={'!' * 22}",
    "memories": "as_of=2026-03-02 as_of=2026-03-02T14:05 as_of=99999-01-01T00:00:00Z as_of=%00",
    "memories/graph": "history=1 modality= tier=both kind=semantic",
    "memories/changes": "kind=Xenophilius",
    "map/concepts": "how=Xenophilius",
    "ledger/entries": "active=no category= state=active",
    "audit/events": "action=%25 action=memory. action= action=a%0Ab action=Xenophilius since=2026-03-02 "
    f"actor={NO_ID} chain={NO_ID}",
}


def test_a_parameter_that_does_not_fit_is_refused(asking):
    """A misspelt filter does not answer with everything, a pattern or another chain neither; what is wrong is named."""
    for path, queries in UNFIT.items():
        for query in queries.split():
            answer = asking.get(f"{path}?{query}")
            assert query.split("=")[0] in problem(answer, 400, "api.bad-request")["fields"], (path, query)


def test_a_cursor_of_another_s_list_shows_nothing_of_it(db):
    """It is a place in time and nothing more."""
    ada, eve = make_program(make_access("ada")), make_program(make_access("eve"))
    for _number in range(3):
        ada.begin()
    cursor = ada.get("conversations?limit=1").json()["next"]
    assert eve.get(f"conversations?cursor={cursor}").json() == {"items": [], "next": None}


def test_a_key_is_of_one_request_of_one_token(asking):
    """With another body or address it is refused, and nothing is done; what was wrong is put right under it; another program has its own.

    It is visible ASCII, at most 200 characters.
    """
    for key in ("", "a b", "å", "x" * 201, "a\tb"):
        told = problem(asking.post("conversations", {}, idempotency_key=key), 400, "api.bad-request")
        wrong = "Send 1 to 200 visible ASCII characters, without spaces."
        assert told["fields"] == {"Idempotency-Key": [wrong]}, key
    path = f"ledger/entries/{NO_ID}/retire"
    problem(asking.post(path, idempotency_key="k-1"), 404, "not-found")
    problem(asking.post("conversations", {"nonsense": 1}, idempotency_key="k-1"), 400, "api.bad-request")
    first = asking.post("conversations", {}, idempotency_key="k-1")
    problem(asking.post("conversations", {"memory_on": False}, idempotency_key="k-1"), 422, "api.key-reused")
    body = {"category": "fact", "content": "x"}
    problem(asking.post("ledger/entries", body, idempotency_key="k-1"), 422, "api.key-reused")
    assert first.status_code == 201 and count(Conversation, asking.access.space) == 1
    other = make_program(asking.access).post("conversations", {}, idempotency_key="k-1")
    assert other.json()["id"] != first.json()["id"]


def test_a_request_that_has_not_ended_is_not_done_again(asking):
    """Until it is given up; then the same key does it."""
    asking.post("conversations", {}, idempotency_key="k-1")
    space = asking.access.space
    with space_scope(space):
        KeptAnswer.objects.for_space(space).update(status=None)
    assert problem(asking.post("conversations", {}, idempotency_key="k-1"), 409, "api.still-running")[
        "retryable"
    ]
    with space_scope(space):
        KeptAnswer.objects.for_space(space).update(begun_at=timezone.now() - GIVEN_UP_AFTER)
    assert asking.post("conversations", {}, idempotency_key="k-1").status_code == 201


def test_a_kept_answer_is_sealed_and_goes_after_its_hours(asking):
    """No word of it stands in the database; after a day the row is gone, and the key does something new."""
    body = {"category": "secret", "content": "The cat is called Morris"}
    asking.post("ledger/entries", body, idempotency_key="k-1")
    space = asking.access.space
    with space_scope(space):
        (row,) = KeptAnswer.objects.for_space(space)
        assert b"Morris" not in bytes(row.__dict__["body"]) and row.status == 201
        KeptAnswer.objects.for_space(space).update(begun_at=timezone.now() - KEPT_FOR)
    asking.post("conversations", {}, idempotency_key="k-2")
    assert count(KeptAnswer, space) == 1


def test_kept_answers_are_dropped_in_every_space(committed):
    """By the clock, without anybody's key."""
    programs = [make_program(make_access(name)) for name in ("ada", "bo")]
    for program in programs:
        program.post("conversations", {}, idempotency_key="k")
    assert drop_kept_answers(now=timezone.now()) == 0
    assert drop_kept_answers(now=timezone.now() + KEPT_FOR) == 2
    assert [count(KeptAnswer, program.access.space) for program in programs] == [0, 0]


def test_repeats_at_the_same_time_are_done_once(program):
    """Four at once begin one conversation: each is told the same one."""
    answers = at_once(*[lambda: program.post("conversations", {}, idempotency_key="k")] * 4)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert count(Conversation, program.access.space) == 1


def test_a_token_asks_so_often_and_no_oftener(asking, settings):
    """429 with the seconds to wait; another token of the same person still may. Replies have a limit of their own: one too many says nothing."""
    settings.API_CALLS_PER_MINUTE, settings.API_REPLIES_PER_MINUTE = 3, 1
    conversation, other = asking.begin(), make_program(asking.access)
    token = UUID(asking.get("me").json()["token"]["id"])
    views.count_reply(token, now=timezone.now())
    problem(asking.post(f"conversations/{conversation}/messages", {"text": "Hi"}), 429, "api.too-many")
    assert count(Message, asking.access.space) == 0
    answer = asking.get("me")
    assert problem(answer, 429, "api.too-many")["retryable"] and 1 <= int(answer["Retry-After"]) <= 60
    assert other.get("me").status_code == 200
