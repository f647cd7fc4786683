"""Addresses of the REST API, version 1."""

from django.urls import include, path, re_path

from companion_site.api import endpoints, views

app_name = "api"
urlpatterns = [
    path("", views.page, name="page"),
    path("openapi.json", views.Description.as_view(), name="openapi"),
    path("me", endpoints.Me.as_view(), name="me"),
    path("spaces", endpoints.Spaces.as_view(), name="spaces"),
    path("spaces/<uuid:space_id>", endpoints.OneSpace.as_view(), name="space"),
    path("audit/events", endpoints.Events.as_view(), name="events"),
    path("audit/events/<uuid:event_id>", endpoints.OneEvent.as_view(), name="event"),
    path("", include("chat.api.urls")),
    path("", include("memory.api.urls")),
    path("", include("ledger.api")),
    path("", include("overlay.api")),
    re_path(r"", views.NothingHere.as_view(), name="nothing"),
]
