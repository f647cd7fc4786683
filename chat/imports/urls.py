"""Addresses of imports, below those of the chat."""

from django.urls import path

from chat.imports import views

urlpatterns = [
    path("", views.imports, name="imports"),
    path("begin/", views.begin, name="import_begin"),
    path("<uuid:import_id>/", views.one, name="import"),
    path("<uuid:import_id>/state/", views.state, name="import_state"),
    path("<uuid:import_id>/finish/", views.finish, name="import_finish"),
    path("<uuid:import_id>/pieces/<int:file>/<int:number>/", views.piece, name="import_piece"),
]
