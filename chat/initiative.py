"""The companion speaks first: a card over the text box, which is dismissed, or taken up by a click that begins a turn."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from chat import services
from chat.access import ChatAccess, access_of, own_conversation
from chat.models import Conversation, Message
from chat.said import Sensed
from chat.turn.reply import answer_at_once
from chat.turn.topics import make_avoider
from companion_site.accounts.requests import PersonRequest
from companion_site.days import start_of_today
from companion_site.errors import InvalidInput
from companion_site.http import wants_json
from companion_site.shortening import shorten
from companion_site.vault.scope import space_scope
from memory.models import Initiative
from memory.student.life.initiative import Kind, day_in_life, dismiss, offer_initiative, take_up
from memory.student.life.wishes import read_wishes

#: of each kind, what a look back names, and how much of it
MOST_NAMED, MOST_CHARS = 3, 60


@dataclass(frozen=True)
class Words:
    """What the companion says, what the button does, and what the person says by taking it up."""

    text: str | Promise
    action: str | Promise
    message: str | Promise


WORDS = {
    Kind.MORNING: Words(
        gettext_lazy("Good morning, %(name)s. What would you like today to be like?"),
        gettext_lazy("Talk about today"),
        gettext_lazy("Good morning! Let us talk about today."),
    ),
    Kind.EVENING: Words(
        gettext_lazy("The day is nearly over. Shall we look back on it together?"),
        gettext_lazy("Look back on the day"),
        gettext_lazy("Let us look back on the day together."),
    ),
    Kind.AFTER_LOW: Words(
        gettext_lazy(
            "The last days seem to have been heavy, %(name)s. I am here if you would like to talk, about that or about anything."
        ),
        gettext_lazy("Talk for a while"),
        gettext_lazy("I would like to talk for a while."),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Card:
    """What stands over the text box.

    Attributes:
        lines: what was talked about, the goals touched, the gratitude; of a look back only.
    """

    id: UUID
    kind: str
    text: str
    action: str
    lines: tuple[str, ...] = ()


def show_initiative(access: ChatAccess, *, is_remembered: bool, now: datetime) -> dict[str, Any]:
    """Return what the conversation's page shows of it: {"initiative": a card or None}.

    Args:
        is_remembered: whether memory is on, for the conversation and for its person.
    """
    if not (access.remembers and is_remembered) or services.has_spoken_of_danger(access, now=now):
        return {"initiative": None}
    with space_scope(access.space), access.open():
        said = Message.objects.for_space(access.space).said_by_person()
        said = said.filter(conversation__author_id=access.person.pk, said_at__gte=start_of_today(now))
        offered = offer_initiative(
            access.space,
            spoken=said.exists(),
            talked=_talked_today(access, now).exists(),
            now=now,
            actor=access.person,
        )
        return {"initiative": _card(access, offered, now) if offered is not None else None}


@require_GET
def offer(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Return the card as a fragment for a page that stays open; without one, nothing (204)."""
    access = access_of(request)
    row = own_conversation(access, conversation_id)
    is_remembered = row.memory_on and access.person.memory_on
    shown = show_initiative(access, is_remembered=is_remembered, now=timezone.now())
    if shown["initiative"] is None:
        return HttpResponse(status=204)
    return render(request, "chat/_initiative.html", {**shown, "conversation": row})


@require_POST
def answer(request: PersonRequest, conversation_id: UUID, initiative_id: UUID) -> HttpResponse:
    """Take what the person answered; taken up without scripts, the turn is made before the page comes back.

    A page with scripts is told what to say, and says it as if it had been typed.
    """
    access, now = access_of(request), timezone.now()
    row = own_conversation(access, conversation_id)
    given = request.POST.get("answer", "")
    if given not in {"chosen", "dismissed"}:
        raise InvalidInput()
    is_live = wants_json(request)
    message, exchange = "", None
    with space_scope(access.space):  # taken up and said, or neither
        if given == "dismissed":
            dismiss(access.space, initiative_id, now=now)
        elif kind := take_up(access.space, initiative_id, now=now):
            message = str(WORDS[kind].message)
        if message and not is_live:
            exchange = services.say(access, row.pk, text=message, client_id=uuid4(), now=now, sensed=Sensed())
    if is_live:
        return JsonResponse({"message": message})
    if exchange is not None:
        answer_at_once(access, exchange, now=now)
    return redirect("chat:conversation", row.pk)


def _talked_today(access: ChatAccess, now: datetime) -> QuerySet[Conversation]:
    """Return today's conversations with memory, the last first."""
    rows = access.conversations.with_memory()
    today = rows.filter(
        messages__role=Message.Role.PERSON,
        messages__said_at__gte=start_of_today(now),
        archived_at__isnull=True,
    )
    return today.distinct().order_by("-updated_at")


def _card(access: ChatAccess, offered: Initiative, now: datetime) -> Card:
    lines = _look_back(access, now) if offered.kind == Kind.EVENING else ()
    words = WORDS[Kind(offered.kind)]
    text = str(words.text) % {"name": access.person.display_name}
    return Card(id=offered.id, kind=offered.kind, text=text, action=str(words.action), lines=lines)


def _look_back(access: ChatAccess, now: datetime) -> tuple[str, ...]:
    """Return the lines of the day; what speaks of a topic to avoid is not brought up."""
    titles = [row.title for row in _talked_today(access, now)[: 2 * MOST_NAMED] if row.title]
    life = day_in_life(access.space, now=now)
    avoider = make_avoider(read_wishes(access.space).avoid)

    def named(texts: Iterable[str]) -> str:
        kept = [shorten(text, MOST_CHARS) for text in texts if not avoider.avoids(text)]
        return " · ".join(kept[:MOST_NAMED])

    lines = (
        (_("You talked about: %(what)s"), named(titles)),
        (_("Your goals: %(what)s"), named(life.goals)),
        (_("You were grateful for: %(what)s"), named(life.gratitude)),
    )
    return tuple(line % {"what": what} for line, what in lines if what)
