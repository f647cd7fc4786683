"""Addresses of the auditors' pages."""

from django.urls import path

from memory.teaching import auditor_views

app_name = "wellbeing"
urlpatterns = [
    path("", auditor_views.students, name="students"),
    path("<uuid:student_id>/", auditor_views.student, name="student"),
]
