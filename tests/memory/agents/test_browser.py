"""The pages of agents, of tokens and of the API in a real browser: sound for everybody, and of use without scripts."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from companion_site.vault.scope import space_scope
from memory.agents.agents import OpenAgent, list_agents
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.nodes import upsert_memory
from memory.models import AgentContext, AgentNode
from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_access
from tests.memory.agents.conftest import lend_pack, make_agent, node
from tests.memory.packs.making import link

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("K9"), pytest.mark.spec("K10"), pytest.mark.spec("E5")]
#: Widths between a phone and a desk at which the header once was wider than the window.
BETWEEN = (360, 420, 660, 800, 1024, 1030)


FILES, MANAGERS, EPISODE = "skill.python.files", "skill.python.context-managers", "episode.task-7.first"


def live_a_little(agent: OpenAgent) -> None:
    """Teach an agent some nodes, have it read a pack, and build and end contexts over a week."""
    access, now = agent, timezone.now()
    upsert_memory(
        access,
        [
            node(
                FILES,
                "skill",
                label="Close files",
                payload={
                    "definition": "Open files in a with statement.",
                    "code": "with open(p) as f:\n    ...",
                },
                links=[link(MANAGERS, 0.8), link("pack.python.pathlib", 0.6), link("gone.nowhere", 0.2)],
                children={"details": MANAGERS},
                tags=["python"],
                meta={"source": "notes", "checked": True},
            ),
            node(MANAGERS, "skill", label="Context managers", says="They close.", tags=["python"]),
            node(
                EPISODE,
                "episode",
                label="Ran the tests",
                payload={"outcome": "failed"},
                meta={"task": "task-7"},
            ),
            node("fact.accounting.vat", "fact", label="VAT is 25 %", says="Moms.", tags=["accounting"]),
            node("persona.careful", "persona", label="A careful one", says="Looks twice."),
        ],
        now=now - timedelta(days=8),
    )
    lend_pack(access, node("pack.python.pathlib", label="Paths", says="Paths as objects.", tags=["python"]))
    for day in range(7, -1, -1):
        at = now - timedelta(days=day)
        build_context(
            access,
            query="closing a file" if day % 3 else "what is the VAT",
            task={"id": f"task-{day}", "tags": ["python"]},
            budget_tokens=2_000,
            now=at,
        )
        save_context(
            access, task_id=f"task-{day}", frames=[], outcome="failed" if day % 4 == 0 else "helped", now=at
        )


@pytest.fixture
def access(committed):
    return make_access("ada")


@pytest.fixture
def lived(access):
    agent = make_agent(access.key)
    live_a_little(agent)
    return agent


@pytest.fixture
def page(shared_browser, access):
    with browse("ada", shared_browser) as page:
        yield page


def open_all(page):
    for summary in page.locator("main summary").all():
        if summary.is_visible() and summary.locator("..").get_attribute("open") is None:
            summary.click()


def pages_of(agent):
    """Return every address of an agent's pages, with one of its nodes and contexts."""
    with space_scope(agent.space):
        node = AgentNode.objects.for_space(agent.space).order_by("id").first().pk
        contexts = AgentContext.objects.for_space(agent.space).filter(working_set__isnull=False)
        built = contexts.order_by("-id").first().pk
    parts = (
        *("", "edit/", "delete/", "connect/", "packs/", "figures/", "figures/?days=90"),
        *("nodes/", "nodes/?q=closing", "nodes/?type=skill", f"nodes/{node}/"),
        *("contexts/", f"contexts/{built}/"),
    )
    return [f"/agents/{agent.space}/{part}" for part in parts]


def test_every_page_of_an_agent_is_sound(lived, page):
    """No fault that axe-core knows of, nothing wider than the window, nothing that the policy forbids; all parts open."""
    for address in ["/agents/", "/agents/new/", *pages_of(lived)]:
        assert page.goto(address).status == 200, address
        open_all(page)
        assert look(page) == [], address
    for width in BETWEEN:
        page.set_viewport_size({"width": width, "height": 700})
        page.goto("/agents/")
        assert not page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        ), width


def test_an_agent_is_made_connected_and_given_up_by_keyboard(access, page):
    """From the header to a token that is shown once, and to the list that is empty again."""
    page.goto("/account/")
    page.get_by_role("link", name="Your agents").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Make an agent").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Kari")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("let a program of yours in")
    page.get_by_text("Make a token").first.focus()
    page.keyboard.press("Enter")
    page.get_by_label("What is it for?").focus()
    page.keyboard.type("Laptop")
    page.keyboard.press("Enter")
    expect(page.locator("#token")).to_have_text(re.compile(r"^cmp_[\w-]{86}$"))
    assert look(page) == []
    page.get_by_role("link", name="I have it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Revoke Laptop")).to_be_visible()
    assert look(page) == []
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Delete this agent").click()
    page.get_by_label("Its name").fill("Nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert [fault for fault in look(page) if "422" not in fault] == []
    page.get_by_label("Its name").fill("Kari")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No agent yet")).to_be_visible()
    assert list_agents(access.key) == {}


def test_a_person_s_own_token_is_made_on_a_sound_page(access, page):
    """The account page and the page that shows the token, as wide and as narrow as they come."""
    page.goto("/account/")
    page.get_by_text("Make a token").click()
    assert look(page) == []
    expect(page.get_by_label("It opens for")).to_have_value("90")
    page.get_by_label("What is it for?").fill("My notes")
    page.get_by_label("Conversations: read and write").check()
    page.get_by_role("button", name="Make the token").click()
    expect(page.locator("#token")).to_be_visible()
    assert look(page) == []


def test_the_page_of_the_api_is_sound(access, page):
    """Its list, an address that is open to be tried out, and the dialog that takes a token."""
    page.goto("/api/v1/")
    page.locator(".opblock").first.wait_for()
    assert look(page) == []
    page.locator(".opblock-summary-control").first.click()
    page.get_by_role("button", name="Try it out").click()
    assert look(page) == []
    page.get_by_role("button", name="Authorize").first.click()
    expect(page.get_by_role("button", name="Close").first).to_be_visible()
    assert look(page) == []
