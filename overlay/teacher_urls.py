"""Addresses of the page on which teachers open concepts."""

from django.urls import path

from overlay import teacher_views

app_name = "overlay-teaching"
urlpatterns = [
    path("classes/<uuid:class_id>/", teacher_views.open_for_class, name="open_for_class"),
    path(
        "classes/<uuid:class_id>/<uuid:opening_id>/retract/",
        teacher_views.take_back_from_class,
        name="take_back_from_class",
    ),
    path("students/<uuid:student_id>/", teacher_views.open_for_student, name="open_for_student"),
    path(
        "students/<uuid:student_id>/<uuid:opening_id>/retract/",
        teacher_views.take_back_from_student,
        name="take_back_from_student",
    ),
]
