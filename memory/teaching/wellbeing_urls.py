"""Addresses of the auditors' pages."""

from django.urls import path

from memory.teaching import auditing

app_name = "wellbeing"
urlpatterns = [
    path("", auditing.students, name="students"),
    path("<uuid:student_id>/", auditing.student, name="student"),
]
