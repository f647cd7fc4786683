"""Teachers' pages: their classes, one class, one student. Everything to be read on them is metadata."""

from collections.abc import Sequence
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.classes import classes_of, invited_to, students_of, taught_class, taught_student
from companion_site.accounts.models import Person, SchoolClass
from companion_site.accounts.requests import PersonRequest
from companion_site.ids import new_id
from companion_site.vault.errors import BoxTaken, NoInbox, StatementDiffers
from ledger.services import mark_seen
from memory.inbound.contents import TEXT_LENGTH, TITLE_LENGTH
from memory.teaching import services
from memory.teaching.services import lessons_of, receipts_of
from memory.teaching.snapshots import count_unopened, list_received
from memory.teaching.wellbeing import present_students, slope_context


class SealableText(forms.CharField):
    """A text without control characters, its lines ended alike."""

    def clean(self, value):
        text = super().clean(value)
        if any(ord(character) < 32 and character not in "\n\r\t" for character in text):
            raise forms.ValidationError(_("This holds characters that cannot be read."))
        return text.replace("\r\n", "\n")


def _text(label, *, rows=4, required=True, help_text="", max_length=TEXT_LENGTH):
    widget = forms.Textarea(attrs={"rows": rows, "autocomplete": "off"})
    return SealableText(
        label=label, max_length=max_length, required=required, widget=widget, help_text=help_text
    )


class SentOnceForm(forms.Form):
    """A form that carries an id of its own: sent twice, it counts once."""

    id = forms.UUIDField(widget=forms.HiddenInput, initial=new_id)

    def renewed(self) -> "SentOnceForm":
        """Return the form with the same words and a new id, for what was changed after it was sent."""
        form = type(self)({**self.data.dict(), "id": str(new_id())})  # type: ignore[attr-defined]  # bound to a QueryDict
        form.add_error(
            None, _("What you sent with this form before stands. Send again to send this as well.")
        )
        return form


class ObservationForm(SentOnceForm):
    text = _text(
        gettext_lazy("What did you notice?"),
        help_text=gettext_lazy(
            "One or two sentences that can stand by themselves, at most 500 characters. You cannot read them again."
        ),
        max_length=500,
    )


class LessonForm(SentOnceForm):
    title = SealableText(
        label=gettext_lazy("Title"),
        max_length=TITLE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    taught = _text(gettext_lazy("What was taught"), required=False)
    result = _text(gettext_lazy("How it went"), rows=2, required=False)
    introduces = forms.BooleanField(
        label=gettext_lazy("It introduced new concepts: choose them next"), required=False
    )


@require_safe
def classes(request: PersonRequest) -> HttpResponse:
    """Show a teacher's classes, and the way to what was shared with them."""
    rows = list(classes_of(request.user).order_by("school__name", "name"))
    shown = [(row, students_of(row).count()) for row in rows]
    return render(
        request, "teaching/classes.html", {"classes": shown, "unopened": count_unopened(request.user)}
    )


@require_safe
def school_class(request: PersonRequest, class_id: UUID) -> HttpResponse:
    """Show a class: its students at a glance, its lessons, and the form to record one."""
    row = taught_class(request.user, class_id)
    return _class_page(request, row, LessonForm())


@require_POST
@sensitive_post_parameters()
def record_lesson(request: PersonRequest, class_id: UUID) -> HttpResponse:
    """Tell the companions of a class about a lesson; go on to its concepts where it introduced some."""
    row = taught_class(request.user, class_id)
    form = LessonForm(request.POST)
    if not form.is_valid():
        return _class_page(request, row, form, status=422)
    given = form.cleaned_data
    try:
        sent, unreached = services.record_lesson(
            request.user,
            row,
            lesson_id=given["id"],
            title=given["title"],
            taught=given["taught"],
            result=given["result"],
            now=timezone.now(),
        )
    except StatementDiffers:
        return _class_page(request, row, form.renewed(), status=409)
    _say_recorded(request, sent, unreached)
    if given["introduces"] and row.school.world_space_id:
        # Sent on as it came: the next page finds the lesson's concepts in its words, which no address may hold.
        return redirect("overlay-teaching:open_for_class", row.pk, preserve_request=True)
    return redirect("teaching:class", row.pk)


@require_POST
def take_back_lesson(request: PersonRequest, class_id: UUID, lesson_id: UUID) -> HttpResponse:
    """Take a lesson back from everybody who has not opened it."""
    row = taught_class(request.user, class_id)
    taken, late = services.take_back_lesson(request.user, row, lesson_id, now=timezone.now())
    if taken:
        text = ngettext("Taken back from %(count)s student.", "Taken back from %(count)s students.", taken)
        messages.success(request, text % {"count": taken})
    if late:
        text = ngettext(
            "%(count)s student had opened it before.", "%(count)s students had opened it before.", late
        )
        messages.warning(request, text % {"count": late})
    return redirect("teaching:class", row.pk)


@require_safe
def student(request: PersonRequest, student_id: UUID) -> HttpResponse:
    """Show a student: indicators, alerts, what they shared, receipts, and the form to tell their companion something."""
    row = taught_student(request.user, student_id)
    return _student_page(request, row, ObservationForm())


@require_POST
@sensitive_post_parameters()
def observe(request: PersonRequest, student_id: UUID) -> HttpResponse:
    """Tell a student's companion what a teacher noticed."""
    row = taught_student(request.user, student_id)
    form = ObservationForm(request.POST)
    if not form.is_valid():
        return _student_page(request, row, form, status=422)
    try:
        services.observe(
            request.user,
            row,
            observation_id=form.cleaned_data["id"],
            text=form.cleaned_data["text"],
            now=timezone.now(),
        )
    except StatementDiffers:
        return _student_page(request, row, form.renewed(), status=409)
    except NoInbox as error:
        form.add_error(None, str(error))
        return _student_page(request, row, form, status=409)
    messages.success(
        request, _("Sealed and sent. You can take it back until the student's companion has opened it.")
    )
    return redirect("teaching:student", row.pk)


@require_POST
def take_back(request: PersonRequest, student_id: UUID, box_id: UUID) -> HttpResponse:
    """Take back one thing sent to a student."""
    row = taught_student(request.user, student_id)
    try:
        services.take_back(request.user, row, box_id, now=timezone.now())
        messages.success(request, _("Taken back. The student's companion never learns of it."))
    except BoxTaken as error:
        messages.warning(request, str(error))
    return redirect("teaching:student", row.pk)


@require_POST
def alert_seen(request: PersonRequest, student_id: UUID, alert_id: UUID) -> HttpResponse:
    """Note that a teacher saw an alert."""
    row = taught_student(request.user, student_id)
    mark_seen(row.space_id, alert_id, request.user, now=timezone.now())  # type: ignore[arg-type]  # a taught student has a space
    messages.success(request, _("Marked as seen."))
    return redirect("teaching:student", row.pk)


def _class_page(
    request: PersonRequest, row: SchoolClass, form: forms.Form, *, status: int = 200
) -> HttpResponse:
    now, students = timezone.now(), list(students_of(row))
    context = {
        "school_class": row,
        "students": present_students(students, now=now),
        "invited": list(invited_to(row)),
        "lessons": lessons_of(request.user, students),
        "form": form,
        "has_world": row.school.world_space_id is not None,
    }
    return render(request, "teaching/class.html", context, status=status)


def _student_page(
    request: PersonRequest, row: Person, form: forms.Form, *, status: int = 200
) -> HttpResponse:
    (card,) = present_students([row], now=timezone.now())
    context = {
        "card": card,
        "slope": slope_context(card.wellbeing),
        "receipts": receipts_of(request.user, row),
        "snapshots": list_received(request.user, student=row),
        "form": form,
        "has_world": row.school is not None and row.school.world_space_id is not None,
    }
    return render(request, "teaching/student.html", context, status=status)


def _say_recorded(request: HttpRequest, sent: int, unreached: Sequence[Person]) -> None:
    text = ngettext("Sealed and sent to %(count)s student.", "Sealed and sent to %(count)s students.", sent)
    if sent or not unreached:
        messages.success(request, text % {"count": sent})
    if unreached:
        names = ", ".join(person.display_name for person in unreached)
        messages.warning(
            request, _("Not sent to %(names)s: they have to log in once first.") % {"names": names}
        )
