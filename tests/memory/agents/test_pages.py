"""The pages by which a person looks after their agents: made, changed, let programs into, given packs, given up."""

import re

import pytest
from django.utils import timezone

from companion_site.accounts.errors import BadToken
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import authenticate_token
from companion_site.vault.sessions import COOKIE
from memory.agents.agents import access_by_token, list_agents, open_agent
from memory.packs.mounts import mounted
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import lend_pack, make_agent, node, token_of

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

LIST, NEW = "/agents/", "/agents/new/"
GIVEN = {
    "name": "Kari",
    "identity": "You are Kari.",
    "domain_tags": "Python, accounting, python",
    "persona": "",
    "constraints": "No new dependencies.",
}
TOKEN = {"name": "Laptop", "scopes": ["agent"], "lasts": "30"}


@pytest.fixture
def at(opened):
    """The address of the agent's pages."""
    return f"/agents/{opened.space}/"


def told(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.text


def test_an_agent_is_made_with_a_profile_and_stands_in_the_list(client, owner_key):
    """What was typed is its profile; the next page is the one that lets a program in."""
    answer = client.post(NEW, GIVEN)
    (space,) = list_agents(owner_key)
    assert answer.url == f"/agents/{space}/connect/"
    opened = open_agent(owner_key, space, person=Person.objects.get(), now=NOW)
    with opened.open():
        assert opened.agent.profile == {
            "identity": "You are Kari.",
            "persona": "",
            "domain_tags": ["python", "accounting"],
            "constraints": "No new dependencies.",
        }
    assert "Kari" in told(client, LIST)


@cases(
    "wrong",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 101},
        {"name": "\u200b\u202e"},
        {"identity": "x" * 4_001},
        {"domain_tags": ",".join(map(str, range(33)))},
        {"domain_tags": "x" * 61},
        {"persona": "x" * 301},
    ],
)
def test_what_cannot_be_a_profile_makes_none(client, owner_key, wrong):
    """The form comes back with what is wrong, by making and by changing, and nothing was written."""
    assert client.post(NEW, GIVEN | wrong).status_code == 422
    assert list_agents(owner_key) == {}
    space = make_agent(owner_key).space
    assert client.post(f"/agents/{space}/edit/", GIVEN | wrong).status_code == 422
    assert list(list_agents(owner_key).values()) == ["Kari"]


def test_a_token_is_made_seen_once_and_opens_the_agent(client, at, opened):
    """Its text is on the page after the form and never again; with it a program reads this agent's memory, until one button revokes it."""
    page = client.post(f"{at}tokens/", TOKEN).text
    (text,) = set(re.findall(r"cmp_[A-Za-z0-9_-]{86}", page))
    assert f"export COMPANION_TOKEN={text}" in page
    bearer = authenticate_token(text, now=timezone.now())
    assert access_by_token(bearer).space == opened.space
    assert (bearer.token.expires_at - bearer.token.created_at).days == 30
    page = told(client, f"{at}connect/")
    assert "Laptop" in page and "Agent&#x27;s memory: read and write" in page and text not in page
    revoke = f"{at}tokens/{bearer.token.pk}/revoke/"
    assert f'action="{revoke}"' in page
    page = client.post(revoke, follow=True).text
    assert "opens nothing any more" in page and "Laptop" not in page
    with pytest.raises(BadToken):
        authenticate_token(text, now=timezone.now())


@pytest.mark.spec("K7")
def test_what_to_paste_has_the_address_of_this_site(client, at):
    """The recipes name the address that the browser used, where the tools do answer."""
    page = told(client, f"{at}connect/")
    assert "claude mcp add --transport http companion http://testserver/mcp" in page
    assert page.count("http://testserver/mcp") == 5 and "has no HTTPS" in page
    secure = client.get(f"{at}connect/", secure=True).text
    assert "https://testserver/mcp" in secure and "has no HTTPS" not in secure


@pytest.mark.spec("K6")
def test_packs_are_mounted_and_taken_off(client, at, opened, owner_key):
    """A pack is told of with its size and signature, and moves between the two lists. One of somebody else is in none, and mounting it by
    its id is 404."""
    pack = lend_pack(make_agent(owner_key, name="Other"), node("p.a"), node("p.b"), key="python-core")
    theirs = lend_pack(make_agent(open_space(make_student("bo").person)), node("p.a"), key="secret-pack")
    page = told(client, f"{at}packs/")
    assert "python-core" in page and "2 nodes" in page and "Not signed" in page and "secret-pack" not in page
    assert client.post(f"{at}packs/{theirs}/mount/").status_code == 404
    assert f'action="{at}packs/{pack}/mount/"' in page
    assert client.post(f"{at}packs/{pack}/mount/").url == f"{at}packs/"
    assert [found.space_id for found in mounted(opened.space)] == [pack]
    assert f'action="{at}packs/{pack}/unmount/"' in told(client, f"{at}packs/")
    client.post(f"{at}packs/{pack}/unmount/")
    assert mounted(opened.space) == []
    assert client.post(f"{at}packs/{pack}/unmount/").status_code == 404


def test_an_agent_is_deleted_after_its_name_was_typed(client, at, owner_key, opened):
    """Another name deletes nothing; its own does, with its tokens."""
    _row, text = token_of(opened, now=timezone.now())
    for wrong in ("", "Kar", "delete"):
        assert client.post(f"{at}delete/", {"typed": wrong}).status_code == 422
    assert list(list_agents(owner_key).values()) == ["Kari"]
    page = client.post(f"{at}delete/", {"typed": " kari "}, follow=True).text
    assert "is deleted" in page and "No agent yet" in page
    assert client.get(at).status_code == 404
    with pytest.raises(BadToken):
        authenticate_token(text, now=timezone.now())


PAGES = ("", "edit/", "delete/", "connect/", "packs/", "nodes/", "contexts/", "figures/")
POSTS = ("edit/", "delete/", "tokens/", "contexts/try/", "nodes/undo/")


def test_a_closed_memory_asks_for_the_key(client, at):
    """Without the key every page leads to where the memory is opened; what agents are called is sealed as well. With it too, whatever
    changes something takes a post."""
    for address in ("tokens/", "contexts/try/", "nodes/undo/"):
        assert client.get(f"{at}{address}").status_code == 405
    del client.cookies[COOKIE]
    assert {client.get(f"{at}{page}").url for page in PAGES} == {"/locked/"}
    assert client.get(LIST).url == client.get(NEW).url == client.post(NEW, GIVEN).url == "/locked/"
    assert {client.post(f"{at}{post}").url for post in POSTS} == {"/locked/"}


def test_a_stranger_s_agent_is_404(client):
    """Every page and every post, whether the id is a stranger's agent, a person's own space or nothing."""
    bo = make_student("bo").person
    theirs = make_agent(open_space(bo)).space
    mine = Person.objects.get(username="ada").space_id
    for space in (theirs, mine, bo.space_id, "0198b2a0-0000-7000-8000-000000000000"):
        answers = [client.get(f"/agents/{space}/{page}").status_code for page in PAGES]
        answers += [client.post(f"/agents/{space}/{post}", GIVEN | TOKEN).status_code for post in POSTS]
        assert set(answers) == {404}, space
    assert client.get("/agents/nonsense/").status_code == 404


def test_a_stranger_s_rows_are_404_in_one_s_own_agent(client, at, owner_key):
    """Ids of tokens, nodes, contexts of another agent say nothing here."""
    theirs = make_agent(open_space(make_student("bo").person))
    row, text = token_of(theirs, now=timezone.now())
    assert client.post(f"{at}tokens/{row.pk}/revoke/").status_code == 404
    authenticate_token(text, now=timezone.now())
    for address in (f"nodes/{row.pk}/", f"contexts/{row.pk}/"):
        assert client.get(f"{at}{address}").status_code == 404
    assert client.post(f"{at}nodes/{row.pk}/remove/").status_code == 404
