"""Addresses of the chat."""

from django.urls import path

from chat import initiative, views, welcome
from chat.attachments import views as attachment_views
from chat.company import suggestions
from chat.conversations import views as conversation_views
from chat.imports import views as import_views
from chat.memories import copy
from chat.voice import views as voice_views

app_name = "chat"
urlpatterns = [
    path("", views.conversations, name="conversations"),
    path("new/", views.begin_conversation, name="new"),
    path("messages/<uuid:message_id>/", views.said, name="said"),
    path("attachments/<uuid:attachment_id>/", attachment_views.show, name="attachment"),
    path("voice/", voice_views.available, name="voice"),
    path("voice/transcripts/", voice_views.transcripts, name="voice_transcripts"),
    path("voice/speech/<uuid:reply_id>/<int:number>/", voice_views.speech, name="voice_speech"),
    path("search/", conversation_views.search, name="search"),
    path("palette/", conversation_views.palette, name="palette"),
    path("memory-copy/", copy.copy, name="memory_copy"),
    path("memory-copy/save/", copy.save, name="memory_copy_save"),
    path("imports/", import_views.imports, name="imports"),
    path("imports/begin/", import_views.begin, name="import_begin"),
    path("imports/<uuid:import_id>/", import_views.one, name="import"),
    path("imports/<uuid:import_id>/state/", import_views.state, name="import_state"),
    path("imports/<uuid:import_id>/finish/", import_views.finish, name="import_finish"),
    path("imports/<uuid:import_id>/pieces/<int:file>/<int:number>/", import_views.piece, name="import_piece"),
    path("archive/", views.archive, name="archive"),
    path("welcome/", welcome.language, name="welcome"),
    path("welcome/name/", welcome.name, name="welcome_name"),
    path("welcome/help/", welcome.help_wanted, name="welcome_help"),
    path("welcome/readers/", welcome.readers, name="welcome_readers"),
    path("welcome/leave/", welcome.leave, name="welcome_leave"),
    path(
        "<uuid:conversation_id>/welcome/<uuid:message_id>/",
        welcome.done,
        name="welcome_done",
    ),
    path("<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("<uuid:conversation_id>/say/", views.say, name="say"),
    path("<uuid:conversation_id>/attachments/", attachment_views.add, name="attach"),
    path(
        "<uuid:conversation_id>/attachments/<uuid:attachment_id>/remove/",
        attachment_views.remove,
        name="detach",
    ),
    path("<uuid:conversation_id>/version/", views.show_version, name="version"),
    path("<uuid:conversation_id>/keep/", conversation_views.keep, name="keep"),
    path("<uuid:conversation_id>/export/", conversation_views.export, name="export"),
    path("<uuid:conversation_id>/memory/", views.switch_memory, name="memory"),
    path(
        "<uuid:conversation_id>/suggestions/<uuid:suggestion_id>/",
        suggestions.answer,
        name="suggestion",
    ),
    path("<uuid:conversation_id>/messages/<uuid:message_id>/", views.message, name="message"),
    path("<uuid:conversation_id>/messages/<uuid:message_id>/kept/", views.kept, name="kept"),
    path(
        "<uuid:conversation_id>/messages/<uuid:message_id>/noted/<uuid:noted_id>/undo/",
        views.undo_noted,
        name="undo_noted",
    ),
    path("<uuid:conversation_id>/initiative/", initiative.offer, name="initiative"),
    path(
        "<uuid:conversation_id>/initiative/<uuid:initiative_id>/",
        initiative.answer,
        name="answer_initiative",
    ),
]
