"""Addresses of the REST API, version 1."""

from django.urls import include, path, re_path

from companion_site.api import views

app_name = "api"
urlpatterns = [
    path("", views.page, name="page"),
    path("openapi.json", views.Description.as_view(), name="openapi"),
    path("", include("companion_site.api.endpoints")),
    path("", include("chat.api")),
    path("", include("memory.api.urls")),
    path("", include("ledger.api")),
    path("", include("overlay.api")),
    re_path(r"", views.NothingHere.as_view(), name="nothing"),
]
