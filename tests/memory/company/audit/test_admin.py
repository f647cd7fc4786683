"""A company's memory in the admin: shape by the metadata role, never a word."""

import pytest
from django.urls import reverse

from companion_site.accounts.models import Person
from companion_site.vault.scope import space_scope
from memory.models import CompanyCompression, CompanyEvent
from tests.factories import make_student
from tests.live import logged_in
from tests.memory.company.audit.rows import live

pytestmark = [pytest.mark.spec("C13"), pytest.mark.spec("E3")]
MODELS = (
    "companyfact",
    "companyfactvector",
    "companyevent",
    "extraction",
    "companyrefusal",
    "companycompression",
)
WORDS = ("K3 for the annual", "dividend", "förklaringar", "October", "cheese")


def test_staff_see_rows_without_words(committed):
    """Lists and details of every kind open for staff; none shows what a fact says, nor a refusal's words."""
    lived = live()
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    client = logged_in("root")
    with space_scope(lived.space):
        event = CompanyEvent.objects.for_space(lived.space).first()
        run = CompanyCompression.objects.for_space(lived.space).first()
    rows = {
        "companyfact": lived.facts["k3"].pk,
        "companyevent": event.pk,
        "extraction": lived.extraction.pk,
        "companyrefusal": lived.refusal.pk,
        "companycompression": run.pk,
    }
    for model in MODELS:
        pages = [reverse(f"admin:memory_{model}_changelist")]
        if model in rows:
            pages += [
                reverse(f"admin:memory_{model}_change", args=[rows[model]]),
                f"{pages[0]}?space={lived.space}",
            ]
        for page in pages:
            answer = client.get(page)
            assert answer.status_code == 200, page
            assert not any(word in answer.text for word in WORDS), page
        assert client.get(reverse(f"admin:memory_{model}_add")).status_code == 403


def test_an_auditor_has_no_admin(committed):
    """Their pages are their own; staff's are staff's."""
    live()
    assert logged_in("ulla").get(reverse("admin:memory_companyfact_changelist")).status_code in (302, 403)
