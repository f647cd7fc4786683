"""Addresses of the page on which teachers open concepts, for a class or for one student."""

from django.urls import path

from overlay import teacher_views

READERS = {"class": "classes/<uuid:row_id>/", "student": "students/<uuid:row_id>/"}

app_name = "overlay-teaching"
urlpatterns = [
    page
    for kind, place in READERS.items()
    for page in (
        path(place, teacher_views.open_concepts, {"kind": kind}, name=f"open_for_{kind}"),
        path(
            f"{place}<uuid:opening_id>/retract/",
            teacher_views.take_back,
            {"kind": kind},
            name=f"take_back_from_{kind}",
        ),
    )
]
