"""The edge of the transcript API: authenticate, parse, call a service, answer in JSON. Nothing of a body is logged."""

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from companion_site.accounts.models import LearningSystem
from companion_site.accounts.system_requests import answer_in_json, authenticate, read_body
from memory.inbound.transcripts.errors import TranscriptTooLarge
from memory.inbound.transcripts.parsing import parse_transcript
from memory.inbound.transcripts.services import take_in

logger = structlog.get_logger(__name__)


@require_POST
@answer_in_json
def transcripts(request: HttpRequest) -> HttpResponse:
    """Take in what was said in one tutoring session. None can be read back."""
    system = authenticate(request, LearningSystem)
    reported = parse_transcript(read_body(request, too_large=TranscriptTooLarge))
    transcript = take_in(system, reported, now=timezone.now())
    logger.info("transcripts.taken_in", system=str(system.pk))
    return JsonResponse({"id": str(transcript)})
