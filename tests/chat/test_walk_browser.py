"""One person walks through all that people know from other chats: on a phone and wide, light and dark, in both languages.

Each of `STEPS` shows what the lines of its numbers in docs/chat.md promise, and is gone in each of `WAYS`.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Locator, expect

from chat.access import ChatAccess
from chat.models import Conversation
from chat.said import NEUTRAL_TITLES
from companion_site.voice import service as voice_service
from tests.browsing import IN_A_BROWSER, browse
from tests.chat.attachments.samples import NOTES, picture
from tests.chat.attachments.test_reading import images
from tests.chat.attachments.test_reading import said as words_of
from tests.chat.talking import converse, remember
from tests.chat.test_danger import SURE
from tests.chat.test_history import fill, message_at
from tests.chat.walking import WAYS, Walker, Way
from tests.chromium import WATCH_GROWTH, Wire
from tests.factories import fill_conversation, make_access
from tests.live import serving
from tests.llm.wire_server import Act, WireServer
from tests.voice import provider as providers
from tests.voice.provider import VoiceProvider, serve_voice
from tests.voice.sounds import tone, wav
from tests.voice.test_browser import FAKE_MICROPHONE, TAKE_NOTES

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2", "E5", "E6")]

#: What the person says; what the pages say comes from the catalogue.
SAID = {
    "en": {
        "first": "Photosynthesis in green leaves",
        "other": "A plan for the week",
        "renamed": "Week seven",
        "told": "I find fractions hard, and pictures of pizza slices help me with fractions",
        "asked": "Can you help me with fractions?",
        "drawn_on": "You told me that pictures of pizza slices help you. Take three of eight slices.",
    },
    "sv": {
        "first": "Fotosyntesen i gröna blad",
        "other": "En plan för veckan",
        "renamed": "Vecka sju",
        "told": "Jag tycker bråk är svårt, och bilder av pizzabitar hjälper mig med bråk",
        "asked": "Kan du hjälpa mig med bråk?",
        "drawn_on": "Du har berättat att bilder av pizzabitar hjälper dig. Ta tre av åtta bitar.",
    },
}
#: What is read aloud lasts until it is ended, however busy the machine.
SOUND_S = 60
WORDS = " ".join(f"word{number}" for number in range(24))
REPLY = """# Halves

Half is $\\frac{1}{2}$, so **two** of them are one.

- [x] read
- [ ] write

```python
def half_of_what_somebody_has(number):  # a line that is wider than a phone
    return "half", number / 2
```

| one | two | three | four | five | six |
| --- | --- | --- | --- | --- | --- |
| a longer cell | a longer cell | a longer cell | a longer cell | a longer cell | 1 |
"""
PICTURE = {"name": "Bild från Lund.png", "mimeType": "image/png", "buffer": picture(size=(1200, 800))}
FILE = {"name": "kassa.csv", "mimeType": "text/csv", "buffer": NOTES.encode()}
COLOURS = "code => [...new Set([...code.querySelectorAll('span')].map((one) => getComputedStyle(one).color))]"
#: Whether the words in the empty message box have room on its one line.
HINT_FITS = """box => {
  const pen = document.createElement("canvas").getContext("2d");
  const { paddingLeft, paddingRight } = getComputedStyle(box);
  pen.font = getComputedStyle(box, "::placeholder").font;
  const room = box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return pen.measureText(box.placeholder).width <= room;
}"""
REFUSE_COPIES = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
CLIPBOARD = "async (start) => (await navigator.clipboard.readText()).startsWith(start)"


@dataclass
class Visit(Walker):
    """Somebody who has talked before, at a site with a model and a voice."""

    model: WireServer
    voice: VoiceProvider
    ada: ChatAccess
    long: Conversation

    @property
    def own(self) -> dict[str, str]:
        return SAID[self.way.language]

    def answer(self, text: str, **act) -> None:
        """Have the model say this from now on."""
        self.model.always(Act(text=text, **act))

    def begin(self) -> None:
        """Begin a conversation from the list."""
        self.page.goto("/chat/")
        self.press(self.button("New conversation", within=self.page.get_by_role("main")).first)
        self.page.wait_for_url("**/chat/*-*/")
        expect(self.page.locator("[data-status=ready]")).to_be_attached()

    def open_menu(self, title: str) -> Locator:
        """Open the menu beside a conversation; return it."""
        self.press(
            self.page.locator("summary", has_text=self.words("Menu of “%(shown_title)s”", shown_title=title))
        )
        return self.page.locator("details[open] form")

    def listed(self) -> list[str]:
        return [
            text.strip()
            for text in self.page.locator(".conversations .conversation-link__title").all_inner_texts()
        ]


STEPS: list[tuple[tuple[int, ...], Callable[[Visit], None]]] = []


def shows(*numbers: int) -> Callable[[Callable[[Visit], None]], Callable[[Visit], None]]:
    """Have a step show what these lines of docs/chat.md promise; the steps are gone in the order in which they stand here."""

    def keep(step: Callable[[Visit], None]) -> Callable[[Visit], None]:
        STEPS.append((numbers, step))
        return step

    return keep


@shows(17)
def titles(visit: Visit) -> None:
    """A conversation is called by the first line of what was said, over it, in the list and in the window's name."""
    visit.see("list of conversations")
    visit.begin()
    expect(visit.button("Talk")).to_be_visible()
    assert visit.box.evaluate(HINT_FITS)
    visit.see("empty conversation")
    visit.answer("I see.")
    visit.say(visit.own["first"])
    visit.hear("I see.")
    expect(visit.title).to_have_text(visit.own["first"])
    expect(visit.page).to_have_title(re.compile(f"^{visit.own['first']}"))


@shows(1, 2)
def word_by_word_until_it_is_stopped(visit: Visit) -> None:
    """The reply grows while the model still writes; stopped, it keeps what was written and says so."""
    visit.page.evaluate(WATCH_GROWTH)
    visit.answer(" ".join([WORDS] * 20), delay_s=0.1)
    visit.say("1")
    expect(visit.replies.last).to_contain_text("word5")
    visit.see("reply on its way")
    if visit.way.by_keyboard:
        visit.page.keyboard.press("Escape")
    else:
        visit.button("Stop").click()
    stopped = visit.hear(visit.words("You stopped this reply."))
    assert stopped.inner_text().count("word23") < 20
    expect(visit.button("Stop")).to_have_count(0)
    expect(visit.box).to_be_focused()
    assert len(visit.page.evaluate("[...window.lengths]")) >= 4
    visit.see("stopped reply")


@shows(3)
def tried_again(visit: Visit) -> None:
    """What came of a reply that broke off stays, and one press brings a whole one in its place."""
    visit.answer(WORDS, cut_after=3)
    visit.say("2")
    again = visit.button("Try again", within=visit.replies.last)
    expect(again).to_be_visible()
    expect(visit.replies.last).to_contain_text("word1")
    visit.see("reply that broke off")
    count = visit.replies.count()
    visit.answer("All of it this time.")
    visit.press(again)
    visit.hear("All of it this time.")
    expect(visit.replies).to_have_count(count)


@shows(4, 5, 6, 7)
def drawn_while_it_comes(visit: Visit) -> None:
    """Heading, formula, list, code and table stand there before the end; the code has several colours."""
    # While the words after the table still come, it can be seen.
    visit.answer(f"{REPLY}\n{'And so it goes on. ' * 12}", delay_s=0.05)
    visit.say("3")
    streaming = visit.page.locator("article[aria-busy]")
    expect(streaming.get_by_role("heading", name="Halves")).to_be_visible()
    expect(streaming.locator("mfrac")).to_be_visible()
    expect(streaming.get_by_role("table")).to_be_visible()
    reply = visit.hear("a longer cell")
    expect(reply.locator("mfrac")).to_have_count(1)
    expect(reply.locator(".task")).to_have_count(2)
    assert len(reply.locator("pre code").evaluate(COLOURS)) >= 3
    visit.see("reply with everything in it")


@shows(8, 9)
def copied(visit: Visit) -> None:
    """As text without signs, as Markdown with them, and code by itself; where the browser refuses, the page says so."""
    for name, start in (("Copy as Markdown", "# Halves"), ("Copy", "Halves"), ("Copy the code", "def half")):
        visit.press(visit.button(name, within=visit.replies.last))
        expect(visit.text("Copied")).to_be_visible()
        visit.wait_until(CLIPBOARD, start)
        if name == "Copy":
            text = visit.page.evaluate("navigator.clipboard.readText()")
            assert "☑ read" in text and "**" not in text and visit.words("Copy the code") not in text
    assert visit.page.evaluate("navigator.clipboard.readText()").endswith("number / 2")
    visit.press(visit.button("Copy", within=visit.said.last))
    visit.wait_until(CLIPBOARD, "3")
    visit.page.evaluate(REFUSE_COPIES)
    visit.press(visit.button("Copy", within=visit.said.last))
    expect(visit.text("That could not be copied. Please mark it and copy it by hand.")).to_be_visible()


@shows(18, 20)
def written_anew(visit: Visit) -> None:
    """A reply written anew takes the place of the one before, which is an arrow away."""
    visit.answer("The second try.")
    visit.press(visit.button("Write again", within=visit.replies.last))
    visit.hear("The second try.")
    expect(visit.replies.last).to_contain_text("2 / 2")
    expect(visit.button("Write again")).to_have_count(1)  # of those before it none can be tried
    visit.press(visit.button("The version before", within=visit.replies.last))
    visit.hear("Halves")
    expect(visit.replies.last).to_contain_text("1 / 2")
    expect(visit.button("The version after", within=visit.replies.last)).to_be_focused()
    visit.see("version of a reply")


@shows(19)
def changed(visit: Visit) -> None:
    """The last message is changed and answered anew in its place; what is begun can be left."""
    count = visit.said.count()
    visit.press(visit.link("Change"))
    expect(visit.box).to_have_value("3")
    visit.see("message that is being changed")
    visit.press(visit.link("Cancel"))
    expect(visit.box).to_have_value("")
    visit.press(visit.link("Change"))
    visit.answer("Four it is.")
    visit.say("4")
    visit.hear("Four it is.")
    expect(visit.said).to_have_count(count)
    expect(visit.said.last).to_contain_text("2 / 2")


@shows(15)
def what_the_reply_used(visit: Visit) -> None:
    """Under the reply stands how personal it is; opened, it tells of each memory, and why it was found."""
    visit.answer(visit.own["drawn_on"])
    visit.say(visit.own["asked"])
    reply = visit.hear(visit.own["drawn_on"])
    badge = reply.locator(".memories > summary")
    expect(badge).to_contain_text(
        re.compile(f"({visit.words('Very personal')}|{visit.words('Personal')}) · ")
    )
    visit.press(badge)
    memory = reply.get_by_role("listitem").filter(has_text=visit.own["told"])
    expect(memory.first).to_be_visible()
    expect(visit.text("Why it was found:", within=reply).first).to_be_visible()
    visit.see("what a reply used")
    visit.press(badge)
    expect(memory.first).to_be_hidden()


@shows(27)
def pictures_and_files(visit: Visit) -> None:
    """They wait above the message, go with it, are shown under it, and reach the model."""
    with visit.page.expect_file_chooser() as chooser:
        visit.press(visit.button("Attach pictures or files"))
    chooser.value.set_files([PICTURE, FILE])
    waiting = visit.page.get_by_role("list", name=visit.words("Goes with your message")).get_by_role(
        "listitem"
    )
    remove = visit.button("Remove %(name)s", name="kassa.csv")
    expect(remove).to_be_visible()
    expect(waiting).to_have_count(2)
    visit.see("files that wait")
    visit.answer("A green field.")
    visit.say("Who owes what?")
    visit.hear("A green field.")
    attached = visit.said.last.get_by_role("list", name=visit.words("Attached"))
    expect(attached.get_by_role("img", name="Bild från Lund.png")).to_be_visible()
    request = visit.model.requests[-1]
    assert len(images(request)) == 1 and "Pelle owes 40 kronor." in words_of(request)
    visit.see("files that were sent")
    with visit.page.expect_popup() as opened:
        visit.press(attached.get_by_role("link", name="kassa.csv"))
    expect(opened.value.get_by_text("Pelle owes 40 kronor.")).to_be_visible()
    opened.value.close()
    count = visit.replies.count()
    with visit.page.expect_file_chooser() as chooser:
        visit.press(visit.button("Attach pictures or files"))
    chooser.value.set_files([PICTURE])
    expect(visit.button("Remove %(name)s", name=PICTURE["name"])).to_be_visible()
    visit.press(visit.button("Send"))
    expect(visit.replies).to_have_count(count + 1)
    visit.hear("A green field.")
    assert len(images(visit.model.requests[-1])) == 2
    visit.see("picture without words")


@shows(10)
def talk_and_listen(visit: Visit) -> None:
    """What is said into the microphone becomes text to send; the reply is read aloud when asked."""
    size = visit.button("Talk").bounding_box()
    assert min(size["width"], size["height"]) >= 44
    visit.press(visit.button("Talk"))
    expect(visit.page.locator("[data-voice-time]")).to_contain_text(re.compile(r"^[1-9]"))
    visit.see("recording")
    visit.press(visit.button("Talk"))
    expect(visit.box).to_have_value("I slept badly.")
    visit.answer("One is here. Two is here.")
    visit.say("I slept badly.")
    reply = visit.hear("Two is here.")
    aloud = visit.button("Read aloud", within=reply)
    visit.press(aloud)
    visit.wait_until("() => window.heard.length > 0")
    expect(aloud).to_have_attribute("aria-pressed", "true")
    visit.see("reply that is read aloud")
    visit.press(aloud)
    expect(aloud).to_have_attribute("aria-pressed", "false")


@shows(12, 24)
def several_tabs(visit: Visit) -> None:
    """A draft is there in the other tab and after a reload; so is a reply, through a connection that drops."""
    visit.write(visit.box, "Dear companion")
    visit.page.wait_for_timeout(1200)  # what is typed is kept once the fingers rest
    visit.page.reload()
    expect(visit.box).to_have_value("Dear companion")
    other = replace(visit, page=visit.page.context.new_page())
    wire = Wire(other.page)
    other.page.goto(visit.page.url)
    expect(other.box).to_have_value("Dear companion")
    visit.answer(WORDS, delay_s=0.2)
    visit.page.bring_to_front()
    visit.say("Dear companion, hello")
    expect(other.replies.last).to_contain_text("word3")
    wire.cut()
    for each in (other, visit):
        each.hear("word23")
    while wire.opened < 2:
        other.page.wait_for_timeout(50)
    texts = [each.replies.last.locator("[data-text]").inner_text() for each in (other, visit)]
    assert texts == [WORDS, WORDS]
    assert "Dear" not in other.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    for each in (other, visit):
        each.page.reload()
        expect(each.box).to_have_value("")
    other.page.close()


@shows(13)
def light_and_dark(visit: Visit) -> None:
    """As the system has it; by the button in the other one, which stays after a reload."""
    order = ["system", "light", "dark"]
    other = "light" if visit.way.scheme == "dark" else "dark"
    assert visit.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == visit.way.scheme
    button = visit.page.locator("[data-theme-button]")
    for choice in order[1 : order.index(other) + 1]:
        visit.press(button)
        expect(button).to_have_accessible_name(visit.words(f"Appearance: {choice}"))
    visit.page.reload()
    assert visit.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == other
    visit.see(f"{other} by choice")
    for _ in order[order.index(other) :]:
        visit.press(button)
    expect(button).to_have_accessible_name(visit.words("Appearance: as the system"))


@shows(14)
def for_everybody(visit: Visit) -> None:
    """By ear a log with an article for each message; the other conversations stand beside it, on a phone behind a button."""
    log = visit.page.get_by_role("log")
    expect(log).to_have_accessible_name(visit.words("Messages"))
    expect(visit.said.last).to_have_accessible_name(re.compile(r"\d\d:\d\d$"))
    others = visit.page.get_by_role("navigation", name=visit.words("Conversations"))
    link = others.get_by_role("link", name=visit.own["other"])
    opener = visit.button("Conversations", within=visit.page.locator(".chat__head"))
    if not visit.way.is_phone:
        expect(link).to_be_visible()
        expect(opener).to_have_count(0)
        return
    expect(others).to_be_hidden()
    visit.press(opener)
    expect(link).to_be_visible()
    visit.see("drawer")
    visit.page.keyboard.press("Escape")
    expect(others).to_be_hidden()
    visit.press(opener)
    if visit.way.by_keyboard:
        visit.page.keyboard.press("Tab")  # from the button that opened it into the drawer
    visit.press(link)
    expect(visit.title).to_have_text(visit.own["other"])
    visit.page.go_back()
    expect(visit.title).to_have_text(visit.own["first"])


@shows(16)
def memory_off(visit: Visit) -> None:
    """Switched off in a conversation the page says so, and how to have it on again; or from its first word on."""
    notice = visit.text(
        "Memory is off in this conversation: nothing you say here is remembered, and nothing is recalled."
    )
    visit.press(visit.button("Switch memory off here"))
    expect(notice).to_be_visible()
    visit.see("memory off")
    visit.press(visit.button("Switch memory on here"))
    expect(visit.button("Switch memory off here")).to_be_visible()
    visit.page.goto("/chat/")
    visit.press(visit.button("New, without memory"))
    expect(notice).to_be_visible()
    visit.see("conversation without memory")
    visit.answer("All right.")
    visit.say("5")
    visit.hear("All right.")
    expect(visit.text("Remembered")).to_be_hidden()


@shows(26)
def long_conversations(visit: Visit) -> None:
    """A long one opens at its end; what came before comes as one scrolls up, and what one reads keeps its place."""
    articles = visit.page.locator("[data-articles] > article")
    visit.page.goto(f"/chat/{visit.long.pk}/")
    expect(articles.last).to_be_in_viewport()
    shown = articles.count()
    assert shown < 200
    visit.page.locator("[data-log]").evaluate("log => { log.scrollTop = 0; }")
    visit.wait_until("count => document.querySelectorAll('[data-articles] > article').length > count", shown)
    assert visit.page.locator("[data-log]").evaluate("log => log.scrollTop") > 500
    visit.see("long conversation")
    ids = articles.evaluate_all("all => all.map((one) => one.id)")
    assert len(set(ids)) == len(ids)
    days = visit.page.locator("[data-articles] .day time").evaluate_all(
        "all => all.map((one) => one.dateTime)"
    )
    assert days and len(set(days)) == len(days)


@shows(11)
def search(visit: Visit) -> None:
    """A word is found with the hit marked; from there one comes to the message in its place."""
    hit = message_at(visit.ada, visit.long, 101)
    visit.page.goto("/chat/")
    visit.write(visit.page.get_by_label(visit.words("Search your conversations")), "m101")
    visit.press(visit.button("Search", within=visit.page.get_by_role("search")))
    expect(visit.page.locator("mark").first).to_have_text("m101")
    visit.see("what was found")
    visit.press(
        visit.page.get_by_role("main").get_by_role("link").filter(has=visit.page.locator("mark")).first
    )
    expect(visit.page.locator(f"#message-{hit.pk}")).to_be_in_viewport()
    if visit.way.by_keyboard:
        visit.page.keyboard.press("Escape")
        expect(visit.box).to_be_focused()
    visit.press(visit.button("Jump to latest"))
    expect(visit.page.locator("[data-articles] > article").last).to_be_in_viewport()


@shows(25)
def palette_and_shortcuts(visit: Visit) -> None:
    """By keyboard to a conversation, by its own keys and out again; a question mark opens the sheet of all keys."""
    visit.page.goto("/account/")
    visit.wait_until("() => document.querySelector('[data-palette-open]')?.hidden === false")
    visit.page.keyboard.press("?")
    sheet = visit.page.get_by_role("dialog", name=visit.words("Keyboard shortcuts"))
    expect(sheet).to_be_visible()
    visit.see("sheet of shortcuts")
    visit.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    visit.page.keyboard.press("Control+k")
    found = visit.page.get_by_role("dialog", name=visit.words("Find and go"))
    expect(found.get_by_role("combobox")).to_be_focused()
    expect(found.get_by_role("option", name=visit.words("New conversation"))).to_be_visible()
    visit.see("palette")
    visit.page.keyboard.type(visit.own["other"])
    line = found.get_by_role("option", name=visit.own["other"], selected=True)
    expect(line).to_be_visible()
    visit.page.keyboard.press("Enter")
    expect(visit.title).to_have_text(visit.own["other"])


@shows(21)
def kept_in_order(visit: Visit) -> None:
    """Renamed over what was said, pinned first in the list, and put into the archive and back."""
    menu = visit.open_menu(visit.own["other"])
    visit.see("menu over a conversation")
    visit.write(menu.get_by_label(visit.words("Name"), exact=True), visit.own["renamed"])
    visit.press(visit.button("Rename", within=menu))
    expect(visit.title).to_have_text(visit.own["renamed"])
    visit.page.goto("/chat/")
    visit.press(visit.button("Pin", within=visit.open_menu(visit.own["renamed"])))
    expect(visit.page.locator(".conversations li").first).to_contain_text(visit.own["renamed"])
    visit.open_menu(visit.own["renamed"])
    visit.see("menu in the list")
    visit.press(visit.button("Put into the archive", within=visit.page.locator("details[open]")))
    expect(visit.page.locator(".conversations").get_by_text(visit.own["renamed"], exact=True)).to_have_count(
        0
    )
    visit.press(visit.link("Archived and deleted"))
    expect(visit.page.locator(".conversations").get_by_text(visit.own["renamed"], exact=True)).to_be_visible()
    visit.see("archive")
    visit.press(visit.page.get_by_role("main").get_by_role("link", name=visit.own["renamed"]))
    expect(visit.text("This conversation is in your archive.")).to_be_visible()
    visit.see("archived conversation")
    visit.press(visit.button("Bring back to the list", within=visit.page.locator(".chat__dock")))
    expect(visit.text("This conversation is in your archive.")).to_have_count(0)
    visit.page.goto("/chat/")
    assert visit.own["renamed"] in " ".join(visit.listed())


@shows(23)
def exported(visit: Visit) -> None:
    """A conversation is saved as a file in both forms, with all that was said in it."""
    menu = visit.open_menu(visit.own["first"])
    for name, ending in (("Save as Markdown", "md"), ("Save as JSON", "json")):
        with visit.page.expect_download() as saved:
            visit.press(visit.link(name, within=menu))
        assert saved.value.suggested_filename.endswith(f".{ending}")
        text = saved.value.path().read_text()
        assert visit.own["asked"] in text and visit.own["drawn_on"] in text
    assert json.loads(text)


@shows(22)
def deleted(visit: Visit) -> None:
    """The page says that it is gone, with the way back beside it; later it stands among the deleted."""
    visit.page.goto("/chat/")
    menu = visit.open_menu(visit.own["first"])
    visit.tick(menu.get_by_role("checkbox"))
    visit.press(visit.button("Delete", within=menu))
    both = "What was remembered from it alone is forgotten too; undoing this brings both back."
    expect(visit.page.get_by_role("status").filter(has=visit.text("Deleted."))).to_contain_text(
        visit.words(both)
    )
    assert visit.own["first"] not in visit.listed()
    visit.see("deleted a moment ago")
    visit.press(visit.button("Undo"))
    expect(visit.page.locator(".conversations").get_by_text(visit.own["first"], exact=True)).to_be_visible()
    visit.press(visit.button("Delete", within=visit.open_menu(visit.own["first"])))
    expect(visit.text("Deleted.")).to_be_visible()
    visit.press(visit.link("Archived and deleted"))
    expect(visit.button("Have it back")).to_be_visible()
    visit.see("deleted before")
    visit.press(visit.button("Have it back"))
    expect(visit.button("Have it back")).to_have_count(0)
    visit.page.goto("/chat/")
    assert visit.own["first"] in visit.listed()


@shows(17)
def titles_without_danger(visit: Visit) -> None:
    """A conversation that begins with danger has a title that says nothing of it."""
    visit.begin()
    visit.answer("I hear you.")
    visit.say(SURE[visit.way.language])
    visit.hear("112")
    expect(visit.title).to_have_text(NEUTRAL_TITLES[visit.way.language])
    visit.see("danger")


@pytest.fixture(params=WAYS, ids=str)
def way(request) -> Way:
    return request.param


@pytest.fixture
def visit(committed, model, settings, monkeypatch, open_browsers, way) -> Iterator[Visit]:
    """Ada, who has talked before, logged in."""
    monkeypatch.setattr(providers, "SOUND", [wav(tone(SOUND_S))])
    ada = make_access("ada", language=way.language)
    long = fill(ada, 400)
    converse(ada, SAID[way.language]["other"])
    remember(ada, SAID[way.language]["told"], language=way.language)
    browser = open_browsers.get(*FAKE_MICROPHONE)
    with serve_voice(settings) as voice, serving() as site:
        try:
            with browse("ada", browser, **way.options) as page:
                page.context.grant_permissions(["clipboard-read", "clipboard-write", "microphone"])
                page.context.add_init_script(f"({TAKE_NOTES})()")
                yield Visit(page=page, way=way, model=model, voice=voice, ada=ada, long=long)
        finally:
            site.run(voice_service.aclose())


def test_the_walk(visit):
    """Every line of the table in docs/chat.md holds in every way, and no state on it has a fault, sticks out or complains."""
    for _, step in STEPS:
        step(visit)


def test_a_long_word_stays_in_its_window(committed, shared_browser):
    """An address or a word that is longer than a phone is wide breaks; nothing of the bubble lies outside the log."""
    ada = make_access("ada")
    row = fill_conversation(ada, [f"https://example.org/{'a' * 120}?{'b=c&' * 40}", "b", "å" * 300, "d"])
    with browse("ada", shared_browser, viewport={"width": 375, "height": 740}) as page:
        page.goto(f"/chat/{row.pk}/")
        bubbles = page.locator(".message--person .message__text")
        expect(bubbles).to_have_count(2)
        for box in (bubble.bounding_box() for bubble in bubbles.all()):
            assert box["x"] >= 0 and box["x"] + box["width"] <= 375


@pytest.mark.parametrize("language", ["en", "sv"])
def test_the_header_stands_on_one_line(committed, shared_browser, language):
    """From where its words stand beside their pictures, in both languages; no word of it breaks, and nothing sticks out."""
    make_access("ada", language=language)
    with browse("ada", shared_browser, viewport={"width": 1280, "height": 850}) as page:
        for width in (1090, 1125, 1200, 1280, 1350):
            page.set_viewport_size({"width": width, "height": 850})
            lines = "all => all.map((one) => one.getClientRects().length)"
            words = page.locator(".header .tool__text")
            assert set(words.evaluate_all(lines)) <= {0, 1}
            over = page.evaluate(
                "() => { const it = document.querySelector('.header'); return it.scrollWidth - it.clientWidth; }"
            )
            tall = page.locator(".header .tool:visible").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect().height)"
            )
            assert (width, over, max(tall)) == (width, 0, 44)
