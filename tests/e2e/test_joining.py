"""From an invitation to the first reply: staff hand out a slip, and a student makes an account their own on a phone."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browsing import overhang
from tests.e2e.pages import begin_conversation, exchange, fill_log_in
from tests.e2e.people import DEMO_PASSWORD
from tests.e2e.test_access import assert_sound
from tests.llm.wire_server import Act

PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
CHOSEN = "nobody else knows this"
RECOVERY = re.compile(r"(?:[A-Z2-7]{4}-){7}[A-Z2-7]{4}")

pytestmark = pytest.mark.slow


def invite(staff: Page, name: str, display_name: str) -> str:
    """Make a person in the admin; return the invitation code on their slip."""
    staff.goto("/admin/accounts/person/add/")
    staff.locator("input[name=username]").fill(name)
    staff.locator("input[name=display_name]").fill(display_name)
    staff.locator("select[name=role]").select_option("student")
    staff.locator("select[name=language]").select_option("en")
    staff.get_by_role("button", name="Save", exact=True).click()
    expect(staff.get_by_role("heading", name="Invitations")).to_be_visible()
    return staff.locator(".slip .code-plate").inner_text().strip()


def choose(phone: Page, password: str = CHOSEN) -> None:
    phone.get_by_label("New password", exact=True).fill(password)
    phone.get_by_label("New password again").fill(password)
    phone.keyboard.press("Enter")


def test_an_invited_student_s_secrets_are_theirs_alone(new_page, model, site):
    """Staff invite, the student joins on a phone and talks; no answer that staff ever got holds password or recovery code.

    A reset later is the same way again, with the recovery code.
    """
    model.always(Act(text="Hello Nora."))
    staff, phone = new_page(), new_page(**PHONE)
    given = record_answers(staff)
    staff.goto("/admin/")
    fill_log_in(staff, "admin", DEMO_PASSWORD)
    code = invite(staff, "nora", "Nora Berg")
    assert_sound(staff)

    phone.goto("/login/")
    phone.get_by_role("link", name="Were you given an invitation code?").click()
    assert_sound_on_phone(phone)
    phone.get_by_label("Invitation code").fill("AAAA BBBB CCCC DDDD")
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("This code opens nothing")).to_be_visible()
    phone.get_by_label("Invitation code").fill(code.lower().replace("-", " "))
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("Nora Berg")).to_be_visible()
    assert_sound_on_phone(phone)
    choose(phone, "short")
    expect(phone.get_by_text("too short")).to_be_visible()
    choose(phone)
    recovery = phone.locator("#code").inner_text()
    assert RECOVERY.fullmatch(recovery)
    assert_sound_on_phone(phone)
    phone.get_by_role("link", name="I have kept it").click()
    expect(phone.get_by_role("heading", name="Which language do you want here?")).to_be_visible()
    assert_sound_on_phone(phone)
    phone.get_by_role("button", name="Skip this").click()
    begin_conversation(phone)
    expect(exchange(phone, "Hello, I am Nora.")).to_contain_text("Hello Nora.")

    staff.goto("/admin/accounts/person/?q=nora")
    staff.get_by_role("link", name="nora", exact=True).first.click()
    staff.goto(str(staff.locator("a[href*='/reset-password']").first.get_attribute("href")))
    staff.get_by_role("button", name="Reset password").click()
    link = staff.locator(".slip [id^=link-]").inner_text().strip()
    phone.goto(link)
    expect(phone.get_by_role("heading", name="Choose your password")).to_be_visible()
    assert "#" not in phone.url
    phone.get_by_label("New password", exact=True).fill(CHOSEN + " now")
    phone.get_by_label("New password again").fill(CHOSEN + " now")
    phone.get_by_label("Recovery code, if you have it").fill(recovery)
    phone.get_by_role("button", name="Choose this password").click()
    fresh = phone.locator("#code").inner_text()
    phone.get_by_role("link", name="I have kept it").click()
    expect(phone.get_by_role("link", name=re.compile("Hello, I am Nora"))).to_be_visible()

    for page in (
        "accounts/person/",
        "accounts/invitation/",
        "audit/auditevent/",
        "vault/keyslot/",
        "vault/space/",
    ):
        staff.goto(f"/admin/{page}")
    assert sum(code in body for body in given) == 1 and len(given) > 20
    for secret in (CHOSEN, recovery, fresh):
        assert not any(secret in body or secret.replace("-", "") in body for body in given)


def assert_sound_on_phone(page: Page) -> None:
    assert_sound(page)
    page.set_viewport_size(PHONE["viewport"])
    assert not overhang(page)


def record_answers(page: Page) -> list[str]:
    """Collect head and body of every answer that this browser is given."""
    given: list[str] = []

    def pass_on(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        given.append(f"{answer.headers} {answer.body().decode('utf-8', 'replace')}")
        route.fulfill(response=answer)

    page.context.route("**/*", pass_on)
    return given
