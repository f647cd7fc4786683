"""The page of a student's progress, each line with the memories it rests on, and sharing a snapshot of it with a teacher."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts.access import Access, student_action, student_form, student_page
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.embeddings.service import get_embedder
from companion_site.errors import CompanionError
from memory.student import snapshots
from memory.student.assessment import GOALS, QUESTIONS, STRENGTHS, STRUGGLES, Assessment, Line, assess
from memory.student.pages.navigation import render_page
from memory.student.pages.picture import current_set
from memory.student.pages.selectors import load_memories
from memory.student.snapshots import name_section


class ShareForm(forms.Form):
    """With whom, and which parts."""

    teacher = forms.ModelChoiceField(
        label=gettext_lazy("Teacher"), queryset=Person.objects.none(), empty_label=None
    )
    sections = forms.MultipleChoiceField(
        label=gettext_lazy("What to share"), widget=forms.CheckboxSelectMultiple, choices=()
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, student: Person, given: QueryDict | None) -> None:
        super().__init__(given, initial={"sections": list(snapshots.SECTIONS)})
        teacher, sections = self.fields["teacher"], self.fields["sections"]
        teacher.queryset = snapshots.teachers_of(student)  # type: ignore[attr-defined]  # fields of choices
        teacher.label_from_instance = lambda person: person.display_name  # type: ignore[attr-defined]  # fields of choices
        sections.choices = [(name, snapshots.name_section(name)) for name in snapshots.SECTIONS]  # type: ignore[attr-defined]  # fields of choices


def show_assessment(
    space: UUID, assessment: Assessment, *, now: datetime
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the parts of an assessment and its weeks, each line with the memories it rests on, the heaviest first."""
    every = [*assessment.lines.values(), *assessment.weeks.values()]
    named = {node for lines in every for line in lines for node in line.memories}
    known = {memory.id: memory for memory in load_memories(space, Q(pk__in=named), now=now)}

    def show(lines: Sequence[Line]) -> list[dict[str, Any]]:
        return [
            {
                "text": line.text,
                "is_sure": line.is_sure,
                "memories": [known[node] for node in line.memories if node in known],
            }
            for line in lines
        ]

    parts = [
        {"kind": kind, "label": name_section(kind), "lines": show(assessment.lines[kind])}
        for kind in (STRENGTHS, STRUGGLES, GOALS, QUESTIONS)
    ]
    return parts, [{"monday": monday, "lines": show(lines)} for monday, lines in assessment.weeks.items()]


@student_page
def progress(request: PersonRequest, access: Access) -> HttpResponse:
    """Show how the student is getting on, and what was shared of it."""
    now = timezone.now()
    assessment = assess(current_set(access.space), embedder=get_embedder(), now=now)
    parts, weeks = show_assessment(access.space, assessment, now=now)
    context = {
        "empty": assessment.is_empty,
        "parts": parts,
        "weeks": weeks,
        "shared": snapshots.list_shared(access.person),
    }
    return render_page(request, access, "progress", context)


@student_form
def share(request: PersonRequest, access: Access) -> HttpResponse:
    """Show the text of a snapshot, and share what was shown."""
    given = request.POST if request.method == "POST" else request.GET
    form = ShareForm(access.person, given or None)
    if not form.is_valid():
        return _share_page(request, access, form, "", status=400 if given else 200)
    now = timezone.now()
    text = snapshots.compose_snapshot(
        assess(current_set(access.space), embedder=get_embedder(), now=now),
        sections=form.cleaned_data["sections"],
        name=access.person.display_name,
        now=timezone.localtime(now),
    )
    if request.method != "POST" or not text:
        return _share_page(request, access, form, text)
    if form.cleaned_data["digest"] != snapshots.digest(text):
        form.add_error(None, _("What would be shared has changed. Please look at it again."))
        return _share_page(request, access, form, text, status=409)
    try:
        snapshots.share_snapshot(access.person, form.cleaned_data["teacher"].pk, text=text, now=now)
    except CompanionError as refused:
        form.add_error("teacher", str(refused))
        return _share_page(request, access, form, text, status=409)
    messages.success(request, _("Shared. You can take it back until it has been opened."))
    return redirect("memory:progress")


@student_action
def retract(request: PersonRequest, access: Access, box_id: UUID) -> HttpResponse:
    """Take a shared snapshot back."""
    snapshots.retract_snapshot(access.person, box_id, now=timezone.now())
    messages.success(request, _("Taken back. Nobody has read it."))
    return redirect("memory:progress")


def _share_page(
    request: PersonRequest, access: Access, form: ShareForm, text: str, *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "text": text,
        "digest": snapshots.digest(text),
        "teachers": snapshots.teachers_of(access.person).exists(),
    }
    return render_page(request, access, "share", context, status=status)
