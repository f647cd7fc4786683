"""The first minutes: what somebody new says of themselves is said to the companion, and remembered as whatever is said after it.

Nothing is kept beside that: how to call them stands in the ledger, as every standing wish does, and the first memories form from
the first message of the first conversation. Each page works without scripts.
"""

from datetime import datetime
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from chat import services
from chat.access import ChatAccess, access_of
from chat.memories.formation import form_from_message
from chat.models import Message
from chat.services import Exchange
from chat.turn.reply import answer_at_once
from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound
from companion_site.http import form_page
from companion_site.ids import new_id
from companion_site.llm.connections import list_connections
from companion_site.vault.scope import space_scope
from ledger.entries import EntryDraft
from ledger.models import LedgerEntry
from ledger.services import record_entry
from memory.models import MemoryNode

#: How one may want to be helped: the choice, and what it says to the companion.
WAYS: dict[str, tuple[str | Promise, str | Promise]] = {
    "steps": (gettext_lazy("Step by step"), gettext_lazy("Please explain things to me step by step.")),
    "example": (gettext_lazy("With an example first"), gettext_lazy("Please show me an example first.")),
    "short": (gettext_lazy("In few words"), gettext_lazy("Please keep your answers short.")),
    "questions": (
        gettext_lazy("With questions, so that I find it myself"),
        gettext_lazy("Please ask me questions instead of giving me the answer."),
    ),
}


def mark_welcomed(person: Person, *, now: datetime) -> None:
    """Note that somebody has been welcomed, or did not want to be; the first time counts."""
    Person.objects.filter(pk=person.pk, welcomed_at=None).update(welcomed_at=now)


def remember_introduction(access: ChatAccess, exchange: Exchange, *, name: str, now: datetime) -> None:
    """Form the memories of what they said at once, so that they can be shown; the name goes along with every message, as a standing wish does.

    After the reply, which would else be reminded of what was just said. With memory off nothing is remembered.
    """
    if not exchange.memory_on:
        return
    if name:
        draft = EntryDraft(
            content=_("Call me %(name)s.") % {"name": name},
            category=LedgerEntry.Category.INSTRUCTION,
            importance=1.0,
        )
        with access.open():
            record_entry(access.space, draft, now=now, actor=access.person)
    form_from_message(access.space, exchange.message.pk, key=access.key, now=now)


def first_memories(access: ChatAccess, message: UUID) -> list[tuple[UUID, str]]:
    """Return id and words of what formed from a message of the person's own, in the order said.

    Raises:
        NotFound: they have said no such message.
    """
    with space_scope(access.space), access.open():
        if not services.has_said(access, message):
            raise NotFound()
        nodes = MemoryNode.objects.for_space(access.space).active().filter(sources__source_id=message)
        return [(node.pk, node.content or "") for node in nodes.order_by("sources__start", "id")]


MOST_NAME_CHARS, MOST_OWN_CHARS = 40, 300


class NameForm(forms.Form):
    """What to call them."""

    name = forms.CharField(
        label=gettext_lazy("What should I call you?"),
        max_length=MOST_NAME_CHARS,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )


class HelpForm(forms.Form):
    """How they like to be helped; the name comes along from the step before."""

    name = forms.CharField(max_length=MOST_NAME_CHARS, required=False, widget=forms.HiddenInput)
    ways = forms.MultipleChoiceField(
        label=gettext_lazy("How do you like to be helped?"),
        choices=[(way, label) for way, (label, _sentence) in WAYS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    own = forms.CharField(
        label=gettext_lazy("In your own words"),
        max_length=MOST_OWN_CHARS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    @property
    def words(self) -> str:
        """All of it as they would say it, in the language that is active."""
        name, ways, own = (self.cleaned_data[field] for field in ("name", "ways", "own"))
        said = [_("My name is %(name)s.") % {"name": name}] if name else []
        said += [str(sentence) for way, (_label, sentence) in WAYS.items() if way in ways]
        return " ".join([*said, *filter(None, [own])])


@require_GET
def language(request: PersonRequest) -> HttpResponse:
    """Ask for the language; whoever talks for a company is then told who can read it, and nothing else."""
    access = access_of(request)
    following = reverse("chat:welcome_name" if access.remembers else "chat:welcome_readers")
    return _step(request, "language", {"following": following, "steps": 3 if access.remembers else 2})


@require_GET
def name(request: PersonRequest) -> HttpResponse:
    """Ask what to call a student."""
    if not access_of(request).remembers:
        return redirect("chat:welcome_readers")
    first_name = request.user.display_name.partition(" ")[0]
    return _step(request, "name", {"form": NameForm(initial={"name": first_name[:MOST_NAME_CHARS]})})


@form_page
def help_wanted(request: PersonRequest) -> HttpResponse:
    """Ask a student how they like to be helped and say who can read it; take what they answer."""
    access, now = access_of(request), timezone.now()
    if not access.remembers:
        return redirect("chat:welcome_readers")
    if request.POST.get("step") != "help":
        given = NameForm(request.POST)
        if request.method == "POST" and not given.is_valid():
            return _step(request, "name", {"form": given}, status=422)
        name_given = given.cleaned_data["name"] if given.is_valid() else ""
        return _step(request, "help", {"form": HelpForm(initial={"name": name_given})})
    form = HelpForm(request.POST)
    if not form.is_valid():
        return _step(request, "help", {"form": form}, status=422)
    mark_welcomed(access.person, now=now)
    if not form.words:
        return redirect("chat:conversations")
    conversation = services.begin_conversation(access, now=now).pk
    exchange = services.say(access, conversation, text=form.words, client_id=new_id(), now=now)
    answer_at_once(access, exchange, now=now)
    remember_introduction(access, exchange, name=form.cleaned_data["name"], now=now)
    reply = services.find_message(access, conversation, exchange.reply.pk)
    if reply is not None and reply.reply_type == Message.ReplyType.ESCALATION:
        return redirect("chat:conversation", conversation)
    return redirect("chat:welcome_done", conversation, exchange.message.pk)


@require_GET
def readers(request: PersonRequest) -> HttpResponse:
    """Say who can read what is said for a company."""
    if access_of(request).remembers:
        return redirect("chat:welcome_name")
    return _step(request, "readers", {})


@require_GET
def done(request: PersonRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Show the first memories and where they stand."""
    access = access_of(request)
    context = {"memories": first_memories(access, message_id), "conversation_id": conversation_id}
    return _step(request, "done", context)


@require_POST
def leave(request: PersonRequest) -> HttpResponse:
    """Skip what is left, or end it: the front door leads to the conversations from now on."""
    mark_welcomed(access_of(request).person, now=timezone.now())
    return redirect("chat:conversations")


def _step(request: PersonRequest, step: str, context: dict, status: int = 200) -> HttpResponse:
    outside = [one for one in list_connections() if not one.missing and not one.is_local]
    context = {"outside": outside, **context}
    return render(request, f"chat/welcome/{step}.html", context, status=status)
