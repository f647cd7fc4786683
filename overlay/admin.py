"""Worlds in the admin: taken in and given out as files, single concepts changed by hand; overlays by their shape only."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from companion_site.accounts.models import School
from companion_site.accounts.requests import PersonRequest
from companion_site.fields import LinesField
from companion_site.vault.admin import SpaceRowAdmin
from overlay.errors import WorldChanged, WorldRefused
from overlay.importer import WorldChanges, change_concept, export_world, import_world, preview_import
from overlay.models import Concept, ConceptEdge, KnownConcept, KnownEdge, Opening, Repetition
from overlay.params import BOUNDS
from overlay.world_files import WorldFile, parse_world, write_world

SALT = "overlay.world.shown"
#: What a form may carry beside its files (Django's DATA_UPLOAD_MAX_MEMORY_SIZE), less what the other fields need.
PACKED_CHARS = 2_400_000


def pack_world(world: WorldFile) -> str:
    """Return a world as the text by which the page that shows it hands it on, signed."""
    return signing.dumps(world.model_dump(), salt=SALT, compress=True)


class WorldFileField(forms.Field):
    """A world file, chosen by hand; one that is too large is not read to its end."""

    widget = UnfoldAdminFileFieldWidget

    def clean(self, value: Any) -> WorldFile:
        file: UploadedFile = super().clean(value)
        try:
            return parse_world(file.read(BOUNDS.file_bytes + 1))
        except WorldRefused as error:
            more = _("… and %(count)d more.") % {"count": error.others}
            words = [str(problem) for problem in error.problems] + ([str(more)] if error.others else [])
            raise forms.ValidationError(words) from None


def _school_field() -> forms.ModelChoiceField:
    return forms.ModelChoiceField(
        School.objects.all(), label=gettext_lazy("School"), widget=UnfoldAdminSelectWidget, empty_label=None
    )


class UploadForm(forms.Form):
    """A file for a school, to see what it would change."""

    school = _school_field()
    file = WorldFileField(label=gettext_lazy("World file"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "file" in cleaned:
            cleaned["packed"] = pack_world(cleaned["file"])
            if len(cleaned["packed"]) > PACKED_CHARS:
                large = _("This world is too large for this page. Use `manage.py import_world`.")
                self.add_error("file", large)
        return cleaned


class ApplyForm(forms.Form):
    """What was looked at, to be taken in."""

    school = forms.ModelChoiceField(School.objects.all(), widget=forms.HiddenInput)
    packed = forms.CharField(widget=forms.HiddenInput)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def clean_packed(self) -> WorldFile:
        try:
            return WorldFile.model_validate(signing.loads(self.cleaned_data["packed"], salt=SALT))
        except signing.BadSignature:
            raise forms.ValidationError(_("This cannot be used as it is.")) from None


class ExportForm(forms.Form):
    """Whose world to give out."""

    export = _school_field()


class ConceptForm(forms.Form):
    """A concept's names and description; one other name on each line."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=BOUNDS.name_chars, widget=UnfoldAdminTextInputWidget
    )
    aliases = LinesField(
        label=gettext_lazy("Other names, one a line"), required=False, widget=UnfoldAdminTextareaWidget
    )
    kind = forms.CharField(
        label=gettext_lazy("Kind"), required=False, max_length=50, widget=UnfoldAdminTextInputWidget
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=BOUNDS.description_chars,
        widget=UnfoldAdminTextareaWidget,
    )

    def __init__(self, data: Any, *, concept: Concept) -> None:
        super().__init__(data, initial={name: getattr(concept, name) for name in self.base_fields})

    def add_problems(self, error: WorldRefused) -> None:
        """Show each problem at the field it is about."""
        for problem in error.problems:
            field = problem.place.partition("[")[0]
            self.add_error(field if field in self.fields else None, problem.what)


#: Changes of one kind that a preview lists; the rest are counted.
SHOWN = 50


@admin.register(Concept)
class ConceptAdmin(SpaceRowAdmin):
    """The concepts of every school's world. They come and go with files; what they are called is changed here too."""

    columns = ("space", "key", "kind", "removed_at")
    list_filter = ("kind", *SpaceRowAdmin.list_filter)
    actions_list = ("world_files",)
    actions_detail = ("change_names",)

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet, search_term: str
    ) -> tuple[models.QuerySet, bool]:
        """Find a concept by an id, its key or a part of its name."""
        found, repeats = super().get_search_results(request, queryset, search_term)
        term = search_term.strip()
        return (found | queryset.filter(name__icontains=term) if term else found), repeats

    def has_worlds_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Tell whether this person may change worlds; the rows themselves have no form of the admin's own."""
        return request.user.has_perm("overlay.change_concept")

    @action(
        description=gettext_lazy("World files"),
        url_path="world-files",
        permissions=["worlds"],
        icon="upload_file",
    )
    def world_files(self, request: PersonRequest) -> HttpResponse:
        """Show what a file would change, take it in, or give a world out."""
        if request.method == "POST":
            return self._apply(request) if "packed" in request.POST else self._preview(request)
        if "export" in request.GET:
            form = ExportForm(request.GET)
            if form.is_valid():
                return _as_file(form.cleaned_data["export"])
        return self._files_page(request, upload=UploadForm())

    @action(
        description=gettext_lazy("Change names and description"),
        url_path="names",
        permissions=["worlds"],
        icon="edit",
    )
    def change_names(self, request: PersonRequest, object_id: str) -> HttpResponse:
        """Change what one concept is called."""
        concept = self.get_object(request, object_id)
        if concept is None or concept.removed_at is not None:
            raise Http404
        form = ConceptForm(request.POST or None, concept=concept)
        if request.method == "POST" and form.is_valid():
            try:
                change_concept(
                    concept.space_id, concept.pk, now=timezone.now(), actor=request.user, **form.cleaned_data
                )
            except WorldRefused as error:
                form.add_problems(error)
            else:
                messages.success(request, _("“%(name)s” was saved.") % {"name": form.cleaned_data["name"]})
                return redirect("admin:overlay_concept_change", concept.pk)
        title = _("Change names and description")
        return self.show(request, "overlay/concept/names", title, form=form, original=concept)

    def _preview(self, request: PersonRequest) -> HttpResponse:
        upload = UploadForm(request.POST, request.FILES)
        if not upload.is_valid():
            return self._files_page(request, upload=upload)
        school, world = upload.cleaned_data["school"], upload.cleaned_data["file"]
        changes = preview_import(school, world)
        return self._preview_page(request, school, changes, packed=upload.cleaned_data["packed"])

    def _apply(self, request: PersonRequest) -> HttpResponse:
        form = ApplyForm(request.POST)
        if not form.is_valid():
            messages.error(request, _("That could not be understood."))
            return self._files_page(request, upload=UploadForm())
        school, world = form.cleaned_data["school"], form.cleaned_data["packed"]
        try:
            changes = import_world(
                school,
                world,
                now=timezone.now(),
                actor=request.user,
                expected_version=form.cleaned_data["version"],
            )
        except WorldChanged as error:
            messages.warning(request, error.message)
            changes = preview_import(school, world)
            return self._preview_page(request, school, changes, packed=request.POST["packed"])
        done = _("The world of %(school)s: %(added)d added, %(changed)d changed, %(removed)d removed.")
        messages.success(request, done % {"school": school.name, **changes.counts})
        return redirect("admin:overlay_concept_changelist")

    def _files_page(self, request: PersonRequest, *, upload: UploadForm) -> HttpResponse:
        context = {"upload": upload, "export": ExportForm(), "schools": School.objects.exists()}
        return self.show(request, "overlay/concept/world_files", _("World files"), **context)

    def _preview_page(
        self, request: PersonRequest, school: School, changes: WorldChanges, *, packed: str
    ) -> HttpResponse:
        context = {"school": school, "changes": changes, "kinds": _listed(changes), "packed": packed}
        return self.show(request, "overlay/concept/preview", _("What this file changes"), **context)


for model, columns in (
    (ConceptEdge, ("source", "target", "type")),
    (Opening, ("concept", "school_class_id", "person_id", "opened_by", "opened_at", "closed_at")),
    (KnownConcept, ("concept_id", "how", "known_at", "attitude", "familiarity")),
    (KnownEdge, ("edge_id", "known_at")),
    (Repetition, ("item", "box", "due_on")),
):
    admin.site.register(model, SpaceRowAdmin, columns=("space", *columns))


def _as_file(school: School) -> HttpResponse:
    answer = HttpResponse(write_world(export_world(school)), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="world-{school.pk}.json"'
    return answer


def _listed(changes: WorldChanges) -> list[dict[str, Any]]:
    """Return the changes by kind: a title, how many, the first of them, and how many are not listed."""
    titles = {
        "added": _("Concepts to be added"),
        "changed": _("Concepts to be changed"),
        "removed": _("Concepts to be removed; students who know them keep what they know"),
        "edges_added": _("Edges to be added"),
        "edges_removed": _("Edges to be removed"),
    }
    found = {name: getattr(changes, name) for name in titles}
    return [
        {"title": titles[name], "count": len(items), "shown": [_line(item) for item in items[:SHOWN]]}
        for name, items in found.items()
        if items
    ]


def _line(item: Any) -> str:
    return (
        f"{item.name} ({item.id})" if hasattr(item, "name") else f"{item.source} → {item.target}: {item.type}"
    )
