"""Addresses of a company's memory, for its auditors."""

from django.urls import path

from memory.company.audit import export_views, review_views, views, work_views

app_name = "company"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("facts/", views.facts, name="facts"),
    path("facts/<uuid:fact_id>/", views.fact, name="fact"),
    path("facts/<uuid:fact_id>/keep/", review_views.keep, name="keep"),
    path("facts/<uuid:fact_id>/undo/", review_views.undo, name="undo"),
    path("facts/<uuid:fact_id>/doubt/", review_views.settle_doubt, name="doubt"),
    path("search/", views.search, name="search"),
    path("review/", review_views.review, name="review"),
    path("refused/", work_views.refused, name="refused"),
    path("extractions/", work_views.extractions, name="extractions"),
    path("extractions/<uuid:extraction_id>/", work_views.extraction, name="extraction"),
    path("compressions/", work_views.compressions, name="compressions"),
    path("export/", export_views.export, name="export"),
]
