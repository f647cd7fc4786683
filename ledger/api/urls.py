"""Addresses of the ledger, below those of the REST API."""

from django.urls import path

from ledger.api import views

ENTRY = "ledger/entries/<uuid:entry_id>"
urlpatterns = [
    path("ledger/entries", views.Entries.as_view(), name="entries"),
    path(ENTRY, views.OneEntry.as_view(), name="entry"),
    path(f"{ENTRY}/retire", views.RetireEntry.as_view(), name="retire_entry"),
    path(f"{ENTRY}/bring-back", views.BringBackEntry.as_view(), name="bring_back_entry"),
]
