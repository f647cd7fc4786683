"""Addresses of the page on which teachers open concepts."""

from django.urls import path

from overlay import teaching

app_name = "overlay-teaching"
urlpatterns = [
    path("classes/<uuid:class_id>/", teaching.open_for_class, name="open_for_class"),
    path(
        "classes/<uuid:class_id>/<uuid:opening_id>/retract/",
        teaching.take_back_from_class,
        name="take_back_from_class",
    ),
    path("students/<uuid:student_id>/", teaching.open_for_student, name="open_for_student"),
    path(
        "students/<uuid:student_id>/<uuid:opening_id>/retract/",
        teaching.take_back_from_student,
        name="take_back_from_student",
    ),
]
