"""Who sees a company's memory: its own auditors. To everybody else, its members included, none of this exists.

Members share the memory by talking with their companion; of it they see what a reply was given (docs/company-memory.md).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponseBase

from companion_site.accounts.access import Access
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.vault.boxes import OpenSpaceKey


def audit_access(person: Person) -> Access:
    """Return an auditor's access to their company's memory. Raises NotFound: the person is not an auditor of a company."""
    company = person.company if person.is_active and person.audits_company else None
    if company is None or company.space_id is None:
        raise NotFound()
    return Access(person, company.space_id, OpenSpaceKey(company.space_id))


def audit_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Give a view `(request, access, ...)`."""

    @wraps(view)
    def open_page(request: PersonRequest, **ids: Any) -> HttpResponseBase:
        return view(request, audit_access(request.user), **ids)

    return open_page
