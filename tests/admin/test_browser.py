"""The admin in a real browser: its policy lets everything work that it needs, and nothing is cut off on a phone."""

import pytest
from django_q.models import OrmQ

from companion_site.accounts.models import Person, School, SchoolClass
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from memory.models import MemoryNode
from tests.admin.rows import make_one_of_each
from tests.admin.test_pages import address
from tests.browsing import IN_A_BROWSER
from tests.factories import PASSWORD
from tests.live import serving

SHOWN = (Person, SchoolClass, Space, MemoryNode, AuditEvent, OrmQ)

pytestmark = [*IN_A_BROWSER]


@pytest.fixture
def rows(committed):
    return make_one_of_each()


@pytest.fixture
def pages(rows, shared_browser):
    """Browser pages of staff at two widths, each with a list that collects what the console complains of."""
    with serving() as site:
        found = [log_in(shared_browser, f"http://{site.address}", width) for width in (1280, 375)]
        yield found
        for page in found:
            page.context.close()


def log_in(browser, site, width):
    page = browser.new_context(viewport={"width": width, "height": 850}, base_url=site).new_page()
    page.complaints = []
    page.on("console", lambda message: note(page, message))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto("/admin/")
    page.get_by_label("Log-in name").fill("root")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/")
    return page


def note(page, message):
    if message.type in ("error", "warning"):
        page.complaints.append(message.text)


def test_pages_work_under_their_policy(rows, pages):
    """No page of the admin is refused a script or a style, raises an error, or is wider than the screen."""
    addresses = ["/admin/", address(Person, "add"), f"/admin/accounts/person/{rows[Person]}/reset-password/"]
    for model in SHOWN:
        addresses += [address(model, "changelist"), address(model, "change", rows[model])]
    for page in pages:
        for name in addresses:
            page.goto(name)
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert (page.complaints, max(wide, 0)) == ([], 0), name


def test_a_class_gets_a_member_by_typing_a_name(rows, pages):
    """The search box of the class's members finds a person and saves them."""
    page = pages[0]
    empty = SchoolClass.objects.create(school=School.objects.get(), name="8C")
    page.goto(address(SchoolClass, "change", empty.pk))
    page.get_by_role("link", name="Add another Member").click()
    page.locator(".select2-selection").last.click()
    page.locator(".select2-search__field").fill("ada")
    page.get_by_role("option", name="ada0").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/schoolclass/")
    assert list(empty.people.values_list("username", flat=True)) == ["ada0"]
    assert page.complaints == []
