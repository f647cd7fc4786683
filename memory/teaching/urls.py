"""Addresses of the teachers' pages."""

from django.urls import path

from memory.teaching import snapshots, views

app_name = "teaching"
urlpatterns = [
    path("", views.classes, name="classes"),
    path("classes/<uuid:class_id>/", views.school_class, name="class"),
    path("classes/<uuid:class_id>/lessons/", views.record_lesson, name="record_lesson"),
    path(
        "classes/<uuid:class_id>/lessons/<uuid:lesson_id>/retract/",
        views.take_back_lesson,
        name="take_back_lesson",
    ),
    path("students/<uuid:student_id>/", views.student, name="student"),
    path("students/<uuid:student_id>/observations/", views.observe, name="observe"),
    path("students/<uuid:student_id>/boxes/<uuid:box_id>/retract/", views.take_back, name="take_back"),
    path("students/<uuid:student_id>/alerts/<uuid:alert_id>/seen/", views.alert_seen, name="alert_seen"),
    path("snapshots/", snapshots.snapshots, name="snapshots"),
    path("snapshots/<uuid:box_id>/", snapshots.snapshot, name="snapshot"),
]
