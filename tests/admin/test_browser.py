"""The admin in a real browser: its policy lets everything work that it needs, and nothing is cut off on a phone."""

import pytest
from django_q.models import OrmQ

from companion_site.accounts.models import Person, School, SchoolClass
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from memory.models import MemoryNode
from tests.admin.rows import make_one_of_each
from tests.admin.test_pages import address
from tests.browsing import IN_A_BROWSER, WINDOWS, browse, overhang

SHOWN = (Person, SchoolClass, Space, MemoryNode, AuditEvent, OrmQ)

pytestmark = [*IN_A_BROWSER]


@pytest.fixture
def rows(committed):
    return make_one_of_each()


def test_pages_work_under_their_policy(rows, shared_browser):
    """No page of the admin is refused a script or a style, raises an error, or is wider than the screen."""
    addresses = ["/admin/", address(Person, "add"), f"/admin/accounts/person/{rows[Person]}/reset-password/"]
    for model in SHOWN:
        addresses += [address(model, "changelist"), address(model, "change", rows[model])]
    for size, _scheme in WINDOWS:
        with browse("root", shared_browser, viewport=size) as page:
            for name in addresses:
                page.goto(name)
                assert (page.complaints, overhang(page)) == ([], 0), name


def test_a_class_gets_a_member_by_typing_a_name(rows, shared_browser):
    """The search box of the class's members finds a person and saves them."""
    empty = SchoolClass.objects.create(school=School.objects.get(), name="8C")
    with browse("root", shared_browser, viewport=WINDOWS[0][0]) as page:
        page.goto(address(SchoolClass, "change", empty.pk))
        page.get_by_role("link", name="Add another Member").click()
        page.locator(".select2-selection").last.click()
        page.locator(".select2-search__field").fill("ada")
        page.get_by_role("option", name="ada0").click()
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_url("**/schoolclass/")
        assert page.complaints == []
    assert list(empty.people.values_list("username", flat=True)) == ["ada0"]
