"""Addresses of the APIs by which others write into a space; those of the lesson API are as the standard names them."""

from django.urls import include, path

from memory.inbound import measures, transcripts, xapi

XAPI = [path("about", xapi.about, name="about"), path("statements", xapi.statements, name="statements")]
urlpatterns = [
    path("xapi/", include((XAPI, "xapi"))),
    path("transcripts/", include(([path("", transcripts.transcripts, name="transcripts")], "tutoring"))),
    path("measures/", include(([path("", measures.measures, name="measures")], "measuring"))),
]
