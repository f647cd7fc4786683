"""Addresses of the auditors' pages."""

from django.urls import path

from memory.teaching import wellbeing

app_name = "wellbeing"
urlpatterns = [
    path("", wellbeing.students, name="students"),
    path("<uuid:student_id>/", wellbeing.student, name="student"),
]
