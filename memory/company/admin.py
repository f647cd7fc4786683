"""The page of the admin on which staff enter the live state of one company."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion_site.accounts.models import Company
from companion_site.accounts.requests import PersonRequest
from companion_site.language import Language, as_language
from companion_site.vault.admin import SpaceRowAdmin
from memory.company.errors import StateChanged, StateRefused
from memory.company.live.catalogue import DEADLINES, FIGURES, deadline_label, figure_label
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.forms import DeadlineForm, FigureForm, SieUploadForm, pack, unpack
from memory.company.live.importer import FigureChange, compare, take_in
from memory.company.live.services import (
    Written,
    remove_kpi,
    set_deadlines,
    set_kpis,
    standing_deadlines,
    standing_figures,
)
from memory.company.live.sie import Books
from memory.company.live.text import format_amount, is_stale
from memory.models import Kpi

PAGE = "admin:memory_kpi_company"


@admin.register(Kpi)
class KpiAdmin(SpaceRowAdmin):
    """Which figures stand, of all companies; what they are is shown and entered on the page of one company."""

    columns = ("space", "key", "as_of", "source", "updated_at")
    hidden = ("value",)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.company_page)
        return [path("company/<uuid:company_id>/", page, name="memory_kpi_company"), *super().get_urls()]

    def company_page(self, request: PersonRequest, company_id: UUID) -> HttpResponse:
        """Show what stands of one company; set a figure or a deadline, take one out, or take in a SIE file."""
        if not request.user.has_perm("memory.change_kpi"):
            raise PermissionDenied
        company = get_object_or_404(Company, pk=company_id, space_id__isnull=False)
        if request.method != "POST":
            return self._show(request, company)
        space: UUID = company.space_id  # type: ignore[assignment]  # asked for above
        said: dict[str, Any] = {"source": Kpi.Source.ADMIN, "now": timezone.now(), "actor": request.user}
        write: Callable[[], Written | None]
        match request.POST.get("do"):
            case "figure":
                figure = FigureForm(request.POST)
                if not figure.is_valid():
                    return self._show(request, company, figure=figure)
                write = partial(set_kpis, space, [figure.entry], **said)
            case "deadline":
                deadline = DeadlineForm(request.POST)
                if not deadline.is_valid():
                    return self._show(request, company, deadline=deadline)
                write = partial(set_deadlines, space, [deadline.entry], **said)
            case "remove":
                key = request.POST.get("key", "")
                write = partial(remove_kpi, space, key, now=said["now"], actor=request.user)
            case "done":
                listed = {str(due.id): due for due in standing_deadlines(space)}
                due = listed.get(request.POST.get("id", ""))
                if due is None:
                    raise Http404
                entry = DeadlineEntry(key=due.key, label=due.label, due_on=due.due_on, done=True)
                write = partial(set_deadlines, space, [entry], **said)
            case "preview":
                upload = SieUploadForm(request.POST, request.FILES)
                if not upload.is_valid():
                    return self._show(request, company, upload=upload)
                books, entries = upload.cleaned_data["file"]
                return self._show_changes(request, company, compare(space, entries), books=books)
            case "apply":
                return self._apply(request, company, space)
            case _:
                raise Http404
        try:
            written = write()
        except StateRefused as error:
            messages.error(request, str(error))
        else:
            if written and written.older:
                messages.warning(
                    request,
                    _("A newer figure stands. Take it out first, if it is wrong; nothing was changed."),
                )
            else:
                messages.success(request, _("Saved."))
        return redirect(PAGE, company.pk)

    def _apply(self, request: PersonRequest, company: Company, space: UUID) -> HttpResponse:
        entries: list[KpiEntry] = []
        try:
            entries, shown = unpack(company.pk, request.POST.get("packed", ""))
            take_in(space, entries, shown=shown, now=timezone.now(), actor=request.user)
        except StateChanged as error:
            messages.warning(request, str(error))
            return self._show_changes(request, company, compare(space, entries))
        except StateRefused as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("The figures of the file now stand."))
        return redirect(PAGE, company.pk)

    def _show(self, request: PersonRequest, company: Company, **forms: Any) -> HttpResponse:
        today = timezone.localdate()
        language = as_language(get_language() or "")
        space: UUID = company.space_id  # type: ignore[assignment]  # asked for by the page
        context = {
            "figures": [
                {
                    "key": figure.key,
                    "label": figure_label(figure, language),
                    "value": format_amount(figure, language),
                    "as_of": figure.as_of,
                    "source": figure.get_source_display(),
                    "stale": is_stale(figure, today),
                }
                for figure in standing_figures(space)
            ],
            "deadlines": [
                {"id": due.id, "label": deadline_label(due, language), "due_on": due.due_on}
                for due in standing_deadlines(space, open_only=True)
            ],
            "known_figures": [(key, known.label(language)) for key, known in FIGURES.items()],
            "known_deadlines": [(key, known.label(language)) for key, known in DEADLINES.items()],
            "figure": FigureForm(auto_id="figure_%s", initial={"as_of": today.isoformat()}),
            "deadline": DeadlineForm(auto_id="deadline_%s"),
            "upload": SieUploadForm(auto_id="sie_%s"),
            **forms,
        }
        return self._show_page(request, "company", company, **context)

    def _show_changes(
        self,
        request: PersonRequest,
        company: Company,
        changes: list[FigureChange],
        *,
        books: Books | None = None,
    ) -> HttpResponse:
        context = {
            "books": books,
            "other_name": books is not None and books.name.casefold() != company.name.casefold(),
            "rows": [_row(change, as_language(get_language() or "")) for change in changes],
            "changes": any(not change.is_same and not change.is_older for change in changes),
            "packed": pack(company.pk, changes),
        }
        return self._show_page(request, "preview", company, **context)

    def _show_page(self, request: HttpRequest, name: str, company: Company, **context: Any) -> HttpResponse:
        title = _("Live state of %(company)s") % {"company": company.name}
        return self.show(request, f"memory/kpi/{name}", title, company=company, **context)


def _row(change: FigureChange, language: Language) -> dict[str, str]:
    """Return one figure of a file as the preview lists it."""
    note = _("the same") if change.is_same else _("stays: a newer figure stands") if change.is_older else ""
    return {
        "label": figure_label(change.entry, language),
        "before": format_amount(change.standing, language) if change.standing else "\u2013",
        "after": format_amount(change.entry, language),
        "as_of": change.entry.as_of.isoformat(),
        "note": note,
    }
