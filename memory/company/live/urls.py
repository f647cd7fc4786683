"""Addresses of the API for a company's own program."""

from django.urls import path

from memory.company.live import views

app_name = "company_state"
urlpatterns = [path("state/", views.state, name="state")]
