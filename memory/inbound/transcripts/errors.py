"""What the transcript API refuses, each with its status. Messages say what to do and repeat nothing of what was sent."""

from django.utils.translation import gettext_lazy as _

from companion_site.accounts.system_requests import RequestRefused


class TranscriptRefused(RequestRefused):
    code = "transcripts.refused"
    message = _("This is no transcript that can be taken in.")


class TranscriptTooLarge(TranscriptRefused):
    code = "transcripts.too-large"
    message = _("Send less at a time: one session of at most 1,000 turns and 1 MB.")
    status = 413


class TranscriptConflict(TranscriptRefused):
    code = "transcripts.conflict"
    message = _("Something of this id came before and said something else. Nothing was taken in.")
    status = 409
