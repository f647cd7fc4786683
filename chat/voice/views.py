"""The edge of the voice: a recording in and its words out, a sentence of a reply as sound. Nothing of either is kept."""

from dataclasses import asdict
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from chat.access import ChatAccess, chat_access, personal_chat_access
from chat.threads import in_thread
from chat.voice.selection import find_sentence
from companion_site.accounts import limits
from companion_site.accounts.limits import Limit
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import TryLater
from companion_site.language import LANGUAGES, Language
from companion_site.voice import service
from companion_site.voice.decoder import CONTAINERS
from companion_site.voice.errors import LanguageUnknown, RecordingRefused

TYPES = tuple(container.media_type for container in CONTAINERS)
#: What browsers call recordings beside: Safari's sound is in a video's container.
OTHER_TYPES = ("audio/x-wav", "audio/wave", "audio/x-m4a", "video/webm", "video/mp4", "application/ogg")
#: The longest wait for a sentence that is being written.
WAIT_S = 20.0


class TooManyRequests(TryLater):
    code = "voice.too-many"
    message = _("That is more than the companion can listen to. Please wait a moment.")


#: In a minute: recordings; looks at a recording under way; sentences, of which a long reply has a hundred.
RECORDINGS = Limit(name="voice, recordings", most=30)
PARTIALS = Limit(name="voice, partials", most=60)
SENTENCES = Limit(name="voice, sentences", most=240)


@require_GET
async def available(request: PersonRequest) -> HttpResponseBase:
    """Tell who listens and who speaks, in which language, and what a recording may measure."""
    here = (await in_thread(chat_access, request.user, request.space_key)).remembers

    def offer(who: service.Available | None) -> dict[str, object] | None:
        return asdict(who) if who is not None and here else None

    return JsonResponse(
        {
            "listening": {code: offer(service.listening(code)) for code in LANGUAGES},
            "speaking": {code: offer(service.speaking(code)) for code in LANGUAGES},
            "limits": {
                "bytes": settings.VOICE_MAX_BYTES,
                "seconds": settings.VOICE_MAX_SECONDS,
                "types": TYPES,
            },
        }
    )


@require_POST
async def transcripts(request: PersonRequest) -> HttpResponseBase:
    """Return the words of a recording; of one under way with `?partial=1`, quickly and roughly."""
    access = await _personal_access(request)
    partial = request.GET.get("partial") == "1"
    language = _language(request, access)
    service.require_listener(language, partly=partial)
    await _count(access, PARTIALS if partial else RECORDINGS)
    heard = await service.transcribe(_recording(request), language=language, quick=partial)
    return JsonResponse(
        {
            "text": heard.text,
            "language": heard.language,
            "partial": partial,
            "sound": asdict(heard.sound) if heard.sound else None,
        }
    )


@require_GET
async def speech(request: PersonRequest, reply_id: UUID, number: int) -> HttpResponseBase:
    """Say one sentence of the person's own reply, or with `?words=1` return it for the browser's own voice."""
    access = await _personal_access(request)
    await _count(access, SENTENCES)
    sentence = await find_sentence(access, reply_id, number, wait_s=WAIT_S)
    if sentence is None:
        return HttpResponse(status=204)
    if request.GET.get("words") == "1":
        tone = {"speed": sentence.tone.speed}
        return JsonResponse({"text": sentence.text, "language": sentence.language, "tone": tone})
    said = await service.speak(sentence.text, language=sentence.language, tone=sentence.tone)
    return StreamingHttpResponse(said.pieces, content_type=said.media_type)


async def _personal_access(request: PersonRequest) -> ChatAccess:
    """Return where a person chats with their own companion; a company's has no voice."""
    return await in_thread(personal_chat_access, request.user, request.space_key)


async def _count(access: ChatAccess, limit: Limit) -> None:
    """Count one request.

    Raises:
        TooManyRequests: it is one too many; says when the next may come.
    """
    wait = await in_thread(limits.count, [limit.of(str(access.person.pk))], now=timezone.now())
    if wait is not None:
        raise TooManyRequests(retry_after_s=wait.total_seconds())


def _recording(request: HttpRequest) -> bytes:
    """Return the body, never more than one byte beyond what is allowed.

    Raises:
        RecordingRefused: it says that it is something else, or is too large.
    """
    most = settings.VOICE_MAX_BYTES
    data = request.read(most + 1)
    if data and request.content_type not in (*TYPES, *OTHER_TYPES):
        raise RecordingRefused(why="type")
    if len(data) > most:
        raise RecordingRefused(why="too-large")
    return data


def _language(request: HttpRequest, access: ChatAccess) -> Language:
    language = request.GET.get("language") or access.person.language
    if language not in LANGUAGES:
        raise LanguageUnknown()
    return language
