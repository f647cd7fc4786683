"""What a person does on the pages, by what they see and hear: roles and names, no selectors of ours."""

import re

from playwright.sync_api import APIResponse, Locator, Page, expect

from tests.e2e.people import DEMO_PASSWORD, PASSWORD

#: Pages that a student sees, without a log-in and with one.
OPEN_PAGES = ("/login/", "/recover/", "/start-anew/", "/nowhere/")
OWN_PAGES = ("/chat/", "/account/", "/locked/")
#: The first memory of a new site waits for what memories are compared with to be embedded.
FORMING_PATIENCE_MS = 90_000
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def log_in(page: Page, name: str, password: str | None = None, *, lands: str = "/chat/") -> None:
    """Log in by the form; demo people have their own password."""
    known = DEMO_PASSWORD if name in {"ada", "elsa", "tove"} else PASSWORD
    page.goto("/login/")
    fill_log_in(page, name, password or known)
    expect(page).to_have_url(re.compile(f"{re.escape(lands)}$"))


def fill_log_in(page: Page, name: str, password: str) -> None:
    """Fill in the log-in form of either language and send it."""
    form = page.get_by_role("main")
    form.get_by_role("textbox").first.fill(name)
    form.locator("input[type=password]").fill(password)
    form.get_by_role("button").click()


def enter(page: Page, name: str) -> str:
    """Log in and begin a conversation without showing the way there; open it and return its address."""
    post(page, "/login/", username=name, password=PASSWORD)
    answer = post(page, "/chat/new/", form_at="/account/")
    page.goto(answer.url)
    return answer.url


def post(page: Page, path: str, *, form_at: str | None = None, **fields: str) -> APIResponse:
    """Send a form with this browser's cookies, and with the token of the page it stands on."""
    token = TOKEN.search(page.request.get(form_at or path).text())
    assert token is not None
    return page.request.post(path, form={"csrfmiddlewaretoken": token[1], **fields})


def log_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Log out|Logga ut")).click()
    # What tells other tabs of the log-out may lead this one there first.
    expect(page).to_have_url(re.compile(r"/login/(\?next=.*)?$"))


def begin_conversation(page: Page) -> str:
    """Open a new conversation from wherever one is; return its address."""
    if not page.url.endswith("/chat/"):
        page.goto("/chat/")
    page.get_by_role("button", name=re.compile("New conversation|Ny konversation")).click()
    expect(page).to_have_url(re.compile("/chat/[0-9a-f-]{36}/$"))
    return page.url


def say(page: Page, text: str) -> None:
    """Type into the message box and send with the button."""
    message_box(page).fill(text)
    page.get_by_role("button", name=re.compile("^(Send|Skicka)$")).click()


def message_box(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^(Message|Meddelande)$"))


def articles(page: Page) -> Locator:
    return page.get_by_role("log").get_by_role("article")


def last_reply(page: Page) -> Locator:
    return page.get_by_role("log").get_by_role("article", name=re.compile("^Companion, ")).last


def await_reply(page: Page, *, messages: int) -> Locator:
    """Wait until the conversation has so many messages and the last reply is whole; return that."""
    expect(articles(page)).to_have_count(messages)
    reply = last_reply(page)
    expect(reply).not_to_have_attribute("aria-busy", "true")
    return reply


def exchange(page: Page, text: str, *, messages: int = 2) -> Locator:
    """Say something and wait for the whole reply to it."""
    say(page, text)
    return await_reply(page, messages=messages)


def await_remembered(page: Page, text: str) -> None:
    """Wait until the page says that a message has been remembered."""
    mark = articles(page).filter(has_text=text).get_by_text(re.compile("Remembered|Lagt på minnet"))
    expect(mark.first).to_be_visible(timeout=FORMING_PATIENCE_MS)
