"""The page of a company's live state in a real browser, at both widths, with a file taken in by hand."""

from pathlib import Path

import pytest

from companion_site.accounts.models import Person
from companion_site.accounts.services import create_company
from memory.company.live.services import standing_figures
from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look_once
from tests.factories import NOW, make_student

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C11")]

#: What is of the site, and not of the admin's theme.
CONTENT = "#content, main"
FILE = Path(__file__).parents[3] / "data" / "sie" / "type4e_pc8.se"


def test_a_file_is_taken_in_by_hand(committed, shared_browser):
    """From the company's page to figures that stand; no fault that axe-core knows of, nothing wider than the screen."""
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    for size, _scheme in WINDOWS:
        company = create_company(f"Demo {size['width']} AB", now=NOW)
        with browse("root", shared_browser, viewport=size) as page:
            page.goto(f"/admin/accounts/company/{company.pk}/live-state/")
            page.get_by_label("SIE file").set_input_files(FILE)
            assert look_once(page, within=CONTENT) == []
            page.get_by_role("button", name="Show what it would change").click()
            page.get_by_role("alert").filter(has_text="another company").wait_for()
            assert look_once(page, within=CONTENT) == []
            page.get_by_role("button", name="Take it in").click()
            page.get_by_text("Cash and bank: 117,510 SEK").wait_for()
            page.get_by_role("button", name="Take out VAT to pay").click()
            page.get_by_text("Saved.").wait_for()
            assert look_once(page, within=CONTENT) == []
            assert len(standing_figures(company.space_id)) == 6
