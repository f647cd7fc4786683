"""Knowledge packs in the admin: taken in with progress, looked at by their shape."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminPasswordWidget, UnfoldAdminSelectWidget

from companion_site.accounts.models import Company, School
from companion_site.accounts.requests import PersonRequest
from companion_site.vault.admin import SpaceRowAdmin
from memory.models import Pack, PackEdge, PackMount, PackNode, PackPosting, PackVector
from memory.packs.errors import PackRefused
from memory.packs.importer import Audience
from memory.packs.limits import LIMITS
from memory.packs.removal import remove_pack
from memory.packs.shipped import list_shipped
from memory.packs.uploads import receive, upload_state


@admin.register(Pack)
class PackAdmin(SpaceRowAdmin):
    """The packs that are here. They come as files and are never edited."""

    columns = ("space", "key", "pack_version", "state", "node_count", "edge_count", "imported_at")
    list_filter = ("state", "language", *SpaceRowAdmin.list_filter)
    actions_list = ("upload_pack",)
    actions_detail = ("remove",)
    list_before_template = "admin/memory/pack/shipped.html"

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.progress_page)
        return [path("upload/<uuid:space>/", page, name="memory_pack_progress"), *super().get_urls()]

    def has_packs_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Tell whether this person may take packs in and away; the rows themselves have no form of the admin's own."""
        return request.user.has_perm("memory.add_pack")

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show over the list how far the packs are that ship with the site; while one goes on, that part asks again."""
        shipped = list_shipped()
        goes_on = any(one.pack is not None and not one.is_ready for one in shipped)
        more = {"shipped": shipped, "shipped_goes_on": goes_on}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    @action(
        description=gettext_lazy("Take a pack in"),
        url_path="upload",
        permissions=["packs"],
        icon="upload_file",
    )
    def upload_pack(self, request: PersonRequest) -> HttpResponse:
        """Take a pack in: what can be checked at once is, the rest is done behind the page."""
        form = UploadForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid():
            try:
                space = receive(
                    form.cleaned_data["file"],
                    audience=form.audience(),
                    actor=request.user,
                    now=timezone.now(),
                    passphrase=form.cleaned_data["passphrase"] or None,
                )
            except PackRefused as refused:
                form.add_error("file", str(refused))
            else:
                return redirect("admin:memory_pack_progress", space)
        return self.show(request, "memory/pack/upload", _("Take a pack in"), form=form)

    def progress_page(self, request: PersonRequest, space: UUID) -> HttpResponse:
        """Show how far an upload is; while it goes on, the page asks again by itself."""
        if not self.has_packs_permission(request):
            raise PermissionDenied
        state = upload_state(space)
        return self.show(request, "memory/pack/progress", _("Taking a pack in"), state=state)

    @action(
        description=gettext_lazy("Remove the pack"), url_path="remove", permissions=["packs"], icon="delete"
    )
    def remove(self, request: PersonRequest, object_id: str) -> HttpResponse:
        """Take a pack away from everybody who reads it, once that is confirmed."""
        pack = self.get_object(request, object_id)
        if pack is None:
            raise Http404
        if request.method == "POST":
            remove_pack(pack.space_id, actor=request.user, now=timezone.now())
            messages.success(request, _("“%(name)s” was removed.") % {"name": pack.name})
            return redirect("admin:memory_pack_changelist")
        return self.show(request, "memory/pack/remove", _("Remove the pack"), pack=pack, original=pack)


NODE_WORDS = ("path", "label", "payload", "children", "tags", "meta", "text")
for model, columns, options in (
    (PackNode, ("position", "type", "is_default"), {"ordering": ("id",), "hidden": NODE_WORDS}),
    (PackVector, ("node", "model", "dimension"), {"hidden": ("embedding",)}),
    (PackPosting, (), {"ordering": ("id",), "hidden": ("term", "postings")}),
    (PackEdge, ("source", "target", "rel", "weight"), {}),
    (PackMount, ("pack_space_id", "mounted_at"), {}),
):
    admin.site.register(model, SpaceRowAdmin, columns=("space", *columns), **options)


class UploadForm(forms.Form):
    """A pack to take in."""

    file = forms.FileField(label=gettext_lazy("Pack (.kpack)"), widget=UnfoldAdminFileFieldWidget)
    passphrase = forms.CharField(
        label=gettext_lazy("Passphrase; empty where the pack was sealed to this site's key"),
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"}),
        required=False,
        strip=False,
        max_length=1_000,
    )
    school = forms.ModelChoiceField(
        School.objects.all(),
        label=gettext_lazy("For one school"),
        widget=UnfoldAdminSelectWidget,
        empty_label="—",
        required=False,
    )
    company = forms.ModelChoiceField(
        Company.objects.all(),
        label=gettext_lazy("For one company"),
        widget=UnfoldAdminSelectWidget,
        empty_label="—",
        required=False,
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LIMITS.file_bytes:
            size = _("The file is larger than %(most)d MB.") % {"most": LIMITS.file_bytes // 2**20}
            raise forms.ValidationError(size)
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("school") and cleaned.get("company"):
            raise forms.ValidationError(_("A pack is for a school, for a company, or for everybody."))
        return cleaned

    def audience(self) -> Audience:
        """Return whose the pack will be; with nothing chosen, everybody's."""
        school, company = self.cleaned_data["school"], self.cleaned_data["company"]
        return Audience(school_id=school.pk if school else None, company_id=company.pk if company else None)
