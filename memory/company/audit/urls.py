"""Addresses of a company's memory, for its auditors."""

from django.urls import path

from memory.company.audit import views

app_name = "company"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("facts/", views.facts, name="facts"),
    path("facts/<uuid:fact_id>/", views.fact, name="fact"),
    path("facts/<uuid:fact_id>/keep/", views.keep, name="keep"),
    path("facts/<uuid:fact_id>/undo/", views.undo, name="undo"),
    path("facts/<uuid:fact_id>/doubt/", views.settle_doubt, name="doubt"),
    path("search/", views.search, name="search"),
    path("review/", views.review, name="review"),
    path("refused/", views.refused, name="refused"),
    path("extractions/", views.extractions, name="extractions"),
    path("extractions/<uuid:extraction_id>/", views.extraction, name="extraction"),
    path("compressions/", views.compressions, name="compressions"),
    path("export/", views.export, name="export"),
]
