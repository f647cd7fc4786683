"""Addresses of the chat."""

from django.urls import path

from chat import company_suggestions, search_views, views

app_name = "chat"
urlpatterns = [
    path("", views.conversations, name="conversations"),
    path("new/", views.begin_conversation, name="new"),
    path("search/", search_views.search, name="search"),
    path("<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("<uuid:conversation_id>/say/", views.say, name="say"),
    path(
        "<uuid:conversation_id>/suggestions/<uuid:suggestion_id>/",
        company_suggestions.answer,
        name="suggestion",
    ),
    path("<uuid:conversation_id>/messages/<uuid:message_id>/", views.message, name="message"),
]
