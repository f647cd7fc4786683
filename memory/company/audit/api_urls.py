"""Addresses of a company's memory for programs."""

from django.urls import path

from memory.company.audit import api

app_name = "company-api"
urlpatterns = [
    path("", api.facts, name="facts"),
    path("search/", api.search, name="search"),
    path("export/", api.export, name="export"),
    path("<uuid:fact_id>/", api.fact, name="fact"),
]
