"""The pages that welcome somebody new: language, name, how to help and who can read it. Each works without scripts."""

from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat import services
from chat.access import chat_access
from chat.models import Message
from chat.views import answer_at_once
from chat.welcome import WAYS, Introduction, first_memories, introduce, mark_welcomed, remember_introduction
from companion_site.accounts.requests import PersonRequest
from companion_site.llm.connections import list_connections

MOST_NAME_CHARS, MOST_OWN_CHARS = 40, 300


class NameForm(forms.Form):
    """What to call them."""

    name = forms.CharField(
        label=_("What should I call you?"),
        max_length=MOST_NAME_CHARS,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )


class HelpForm(forms.Form):
    """How they like to be helped; the name comes along from the step before."""

    name = forms.CharField(max_length=MOST_NAME_CHARS, required=False, widget=forms.HiddenInput)
    ways = forms.MultipleChoiceField(
        label=_("How do you like to be helped?"),
        choices=[(way, label) for way, (label, _sentence) in WAYS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    own = forms.CharField(
        label=_("In your own words"),
        max_length=MOST_OWN_CHARS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


@never_cache
@require_GET
def language(request: PersonRequest) -> HttpResponse:
    """Ask for the language; whoever talks for a company is then told who can read it, and nothing else."""
    access = chat_access(request.user, request.space_key)
    following = reverse("chat:welcome_name" if access.remembers else "chat:welcome_readers")
    return _step(request, "language", {"following": following, "steps": 3 if access.remembers else 2})


@never_cache
@require_GET
def name(request: PersonRequest) -> HttpResponse:
    """Ask what to call a student."""
    if not chat_access(request.user, request.space_key).remembers:
        return redirect("chat:welcome_readers")
    first_name = request.user.display_name.partition(" ")[0]
    return _step(request, "name", {"form": NameForm(initial={"name": first_name[:MOST_NAME_CHARS]})})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def help_wanted(request: PersonRequest) -> HttpResponse:
    """Ask a student how they like to be helped and say who can read it; take what they answer."""
    access, now = chat_access(request.user, request.space_key), timezone.now()
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
    told = Introduction(**form.cleaned_data)
    exchange = introduce(access, told, now=now)
    if exchange is None:
        return redirect("chat:conversations")
    answer_at_once(access, exchange, now=now)
    remember_introduction(access, exchange, told, now=now)
    conversation = exchange.message.conversation_id
    reply = services.find_message(access, conversation, exchange.reply.pk)
    if reply is not None and reply.reply_type == Message.ReplyType.ESCALATION:
        return redirect("chat:conversation", conversation)
    return redirect("chat:welcome_done", conversation, exchange.message.pk)


@never_cache
@require_GET
def readers(request: PersonRequest) -> HttpResponse:
    """Say who can read what is said for a company."""
    if chat_access(request.user, request.space_key).remembers:
        return redirect("chat:welcome_name")
    return _step(request, "readers", {})


@never_cache
@require_GET
def done(request: PersonRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Show the first memories and where they stand."""
    access = chat_access(request.user, request.space_key)
    context = {"memories": first_memories(access, message_id), "conversation_id": conversation_id}
    return _step(request, "done", context)


@require_POST
def leave(request: PersonRequest) -> HttpResponse:
    """Skip what is left, or end it: the front door leads to the conversations from now on."""
    mark_welcomed(chat_access(request.user, request.space_key).person, now=timezone.now())
    return redirect("chat:conversations")


def _step(request: PersonRequest, step: str, context: dict, status: int = 200) -> HttpResponse:
    outside = [one for one in list_connections() if not one.missing and not one.is_local]
    context = {"outside": outside, **context}
    return render(request, f"chat/welcome/{step}.html", context, status=status)
