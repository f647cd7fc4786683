"""What a person types on the pages of their agents."""

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.forms import TokenForm
from companion_site.accounts.tokens import Scope
from companion_site.fields import LinesField
from memory.agents.errors import TooMuch
from memory.agents.params import CONTEXT
from memory.agents.profiles import NAME_CHARS, TEXT_CHARS
from memory.models import NodeType
from memory.nodes import PATH_CHARS, TAG_CHARS, TAGS, NodeInvalid

#: Longer than anybody looks for on a page; a program may ask for more.
LONGEST_SEARCH, LONGEST_QUESTION = 200, 2_000
#: What a token of an agent's space is of use for.
AGENT_SCOPES = (Scope.AGENT, Scope.PACKS, Scope.AUDIT)
Kept = TypeVar("Kept")


class AgentForm(forms.Form):
    """An agent's name and profile."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_CHARS, help_text=_("What you call it. Only you can see it.")
    )
    identity = forms.CharField(
        label=_("Who it is"),
        required=False,
        max_length=TEXT_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Stands first in every context, such as: You are Kari, a coding agent with a shell."),
    )
    domain_tags = LinesField(
        commas=True,
        widget=forms.TextInput,
        label=_("What it works on"),
        required=False,
        max_length=TAGS * (TAG_CHARS + 2),
        help_text=_("Tags with commas between, such as: python, accounting. Coverage is counted by them."),
    )
    persona = forms.CharField(
        label=_("Persona"),
        required=False,
        max_length=PATH_CHARS,
        help_text=_("The path of a persona that it remembers, or a name in your own words."),
    )
    constraints = forms.CharField(
        label=_("What always binds it"),
        required=False,
        max_length=TEXT_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Stands in every context, such as: Python 3.11. No new dependencies."),
    )

    def write(self, keep: Callable[..., Kept]) -> Kept | None:
        """Return what keeping the name and profile came to; None where it was refused: why stands beside its field then."""
        profile = {name: value for name, value in self.cleaned_data.items() if name != "name"}
        try:
            return keep(name=self.cleaned_data["name"], profile=profile, now=timezone.now())
        except NodeInvalid as refused:
            self.add_error(refused.field if refused.field in self.fields else None, str(refused.message))
        except TooMuch as refused:
            self.add_error(None, str(refused))
        return None


def agent_token_form(data: Any = None) -> TokenForm:
    """Return the form of a token for one agent: it opens that agent's memory, and nothing of the person's own."""
    return TokenForm(data, scopes=AGENT_SCOPES, initial={"scopes": [Scope.AGENT.value]})


class DeleteForm(forms.Form):
    """The agent's name, typed, before it is given up."""

    typed = forms.CharField(label=_("Its name"), max_length=NAME_CHARS)

    def __init__(self, *args: Any, name: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._name = name
        self.fields["typed"].widget.attrs["autocomplete"] = "off"

    def clean_typed(self) -> str:
        typed = " ".join(self.cleaned_data["typed"].split())
        if typed.casefold() != self._name.casefold():
            raise forms.ValidationError(_("This is not its name. Nothing was deleted."))
        return typed


class NodeFilterForm(forms.Form):
    """What to look for in an agent's memory."""

    q = forms.CharField(label=_("Search"), required=False, max_length=LONGEST_SEARCH)
    type = forms.ChoiceField(
        label=_("Type"), required=False, choices=[("", _("All types")), *NodeType.choices]
    )


class TryForm(forms.Form):
    """A question to build a context for, without keeping it."""

    query = forms.CharField(
        label=_("A question or a task"),
        max_length=LONGEST_QUESTION,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    tags = LinesField(
        commas=True,
        widget=forms.TextInput,
        label=_("Tags of the task"),
        required=False,
        max_length=TAGS * (TAG_CHARS + 2),
        help_text=_("With commas between. Left empty, the agent's own domains count."),
    )
    budget = forms.IntegerField(
        label=_("Tokens it may take"), initial=4_000, min_value=CONTEXT.least_budget, max_value=32_000
    )
