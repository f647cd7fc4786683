"""A student's whole memory from the browser: seen, contradicted, undone, kept, fogged, added to and cleaned up."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import await_remembered, begin_conversation, enter, exchange, log_in
from tests.llm.wire_server import Act
from tests.running.site import wait_until

EARLIER, LATER = "My room is number 12", "My room is number 40"
INSTRUCTION = "From now on, always ask me a question before you explain anything."
OBSERVED = "explained the water cycle to the whole class with a drawing"
HIDDEN = "mitosis"
TELLING = Act(text="That is mitosis: a cell in Mitosis becomes two, and mito\u00adsis goes step by step.")
#: Notes every moment at which a word stands on the page, however soon it is gone.
WATCH_FOR = """(word) => {
  window.seen = [];
  const look = () => {
    const shown = document.body.textContent.replaceAll("\\u00ad", "").toLowerCase();
    if (shown.includes(word)) window.seen.push(shown);
  };
  new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
  look();
}"""


def open_memory(page: Page, name: str) -> None:
    """Go to a part of one's own memory: by one of its three pages, and from there."""
    page.get_by_role("link", name="Memory", exact=True).click()
    if name == "As a picture":
        page.get_by_role("link", name=name).click()
        return
    page.get_by_role("navigation", name="Your memory").get_by_role("link", name="History").click()
    if name != "History":
        page.get_by_role("navigation", name="More of your history").get_by_role("link", name=name).click()


def remembered(page: Page, text: str) -> Locator:
    """Return where the list beside the picture shows a memory."""
    return page.get_by_role("region", name="As a list").get_by_role("listitem").filter(has_text=text)


@pytest.mark.spec("G13", "G9")
def test_a_student_sees_their_memory_and_takes_a_change_back(page, model, pupil):
    """Memories stand as a picture and a list; a replaced one comes back by undo; an instruction reaches the model."""
    enter(page, pupil)
    for number, said in enumerate((EARLIER, LATER, INSTRUCTION), 1):
        exchange(page, f"{said}." if said != INSTRUCTION else said, messages=2 * number)
        await_remembered(page, said)

    open_memory(page, "As a picture")
    expect(page.get_by_role("img", name="Picture of your memory")).to_contain_text(LATER[:16])
    expect(remembered(page, LATER)).to_be_visible()
    expect(remembered(page, EARLIER)).to_have_count(0)

    open_memory(page, "What changed by itself")
    change = page.get_by_role("listitem").filter(has_text="Replaced by something newer")
    expect(change).to_contain_text(EARLIER)
    change.get_by_role("button", name="Undo").click()
    open_memory(page, "As a picture")
    expect(remembered(page, EARLIER)).to_be_visible()
    expect(page.get_by_role("img", name="Picture of your memory")).to_contain_text(EARLIER)

    open_memory(page, "Word for word")
    entry = page.get_by_role("listitem").filter(has_text=INSTRUCTION)
    expect(entry).to_contain_text("always in mind")
    begin_conversation(page)
    exchange(page, "What is a glacier?")
    told = model.told()[-1]
    brief, _, memory = told.partition("\n\n<COMPANION_MEMORY>\n")
    assert brief.startswith("<COMPANION_BRIEF>\nNow: ") and brief.endswith("</COMPANION_BRIEF>")
    block = memory.partition("</COMPANION_MEMORY>")[0]
    assert f'As they wish:\n- "{INSTRUCTION}"' in block
    assert all(INSTRUCTION not in request.system_text for request in model.requests)

    open_memory(page, "Tidying up")
    page.get_by_role("button", name="Tidy up now").click()
    expect(page.get_by_text("There was nothing to tidy up.")).to_be_visible()


@pytest.mark.spec("G10")
def test_a_concept_stays_in_the_fog_until_the_student_names_it(page, model, pupil):
    """The model names it in vain, not for a moment does the page show it; once the student did, the reply may."""
    model.always(TELLING)
    enter(page, pupil)
    page.evaluate(WATCH_FOR, HIDDEN)
    reply = exchange(page, "How does one cell become two?")
    expect(reply).to_contain_text("becomes two")
    assert page.evaluate("window.seen") == []
    page.reload()
    expect(page.get_by_role("log")).not_to_contain_text(re.compile(HIDDEN, re.IGNORECASE))

    named = exchange(page, "Is that what mitosis means?", messages=4)
    expect(named).to_contain_text("a cell in Mitosis becomes two")
    page.goto("/map/")
    expect(page.get_by_role("region", name="What you know")).to_contain_text("Mitosis")


@pytest.mark.spec("G4")
def test_a_teachers_observation_becomes_a_memory_and_stays(page, new_page, pupil):
    """While it is closed the teacher may take it back; once the student's companion has it, that is over."""
    teacher = new_page()
    log_in(teacher, "tove", lands="/teaching/")
    teacher.get_by_role("link", name="7B").click()
    teacher.get_by_role("link", name=pupil).click()
    teacher.get_by_label("Vad lade du märke till?").fill(f"{pupil} {OBSERVED}.")
    teacher.get_by_role("button", name="Försegla och skicka").click()
    sent = teacher.get_by_role("region", name="Skickat av dig").get_by_role("listitem")
    expect(sent).to_contain_text("inte öppnat än")

    enter(page, pupil)
    open_memory(page, "History")
    moment = page.get_by_role("listitem").filter(has_text=OBSERVED)
    wait_until(lambda: page.reload() and moment.count(), "the observation among the memories")
    expect(moment).to_contain_text("Observed by a teacher")

    # the teacher's page is from before: its button stands there still
    sent.get_by_role("button", name="Ta tillbaka").click()
    expect(sent).to_contain_text("öppnat")
    expect(sent.get_by_role("button")).to_have_count(0)
    page.reload()
    expect(moment).to_be_visible()
