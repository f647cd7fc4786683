"""Addresses of the lesson API, as the standard names them."""

from django.urls import path

from memory.inbound.xapi import views

app_name = "xapi"
urlpatterns = [
    path("about", views.about, name="about"),
    path("statements", views.statements, name="statements"),
]
