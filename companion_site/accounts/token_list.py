"""What the account page shows of a person's API tokens, and the form that makes one."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from companion_site.accounts.models import ApiToken, Person
from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.tokens import Scope, list_tokens

#: For how many days a token opens; the first is offered.
LASTS = (
    ("90", gettext_lazy("Three months")),
    ("30", gettext_lazy("A month")),
    ("365", gettext_lazy("A year")),
    ("", gettext_lazy("Until it is revoked")),
)


class TokenForm(forms.Form):
    """A token to make, for what the person has."""

    name = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=100,
        help_text=gettext_lazy("A name that you will know it by. Auditors can see it."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may be used for"), widget=forms.CheckboxSelectMultiple
    )
    lasts = forms.ChoiceField(
        label=gettext_lazy("It opens for"), choices=LASTS, initial=LASTS[0][0], required=False
    )

    def __init__(self, *args: Any, person: Person, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["scopes"].choices = [(scope.value, scope.label) for scope in scopes_for(person)]  # type: ignore[attr-defined]

    def expires_at(self, now: datetime) -> datetime | None:
        days = self.cleaned_data["lasts"]
        return now + timedelta(days=int(days)) if days else None


def scopes_for(person: Person) -> list[Scope]:
    """Return what a token of a person's own space can be of use for."""
    wanted = {Scope.AUDIT, Scope.PACKS}
    if person.can_chat:
        wanted.add(Scope.CHAT)
    if person.has_memory_pages:
        wanted |= {Scope.MEMORY_READ, Scope.MEMORY_WRITE, Scope.LEDGER, Scope.MAP}
    if person.audits_company:
        wanted.add(Scope.COMPANY)
    return [scope for scope in Scope if scope in wanted]


def tokens_context(request: PersonRequest, form: TokenForm | None = None) -> dict[str, Any]:
    """Return what the account page shows of a person's tokens."""
    person = request.user
    if person.space_id is None:
        return {}
    return {
        "tokens": [
            {"row": token, "scopes": _labels(token)}
            for token in list_tokens(person.space_id, now=timezone.now())
        ],
        "token_form": form or TokenForm(person=person, auto_id="token_%s"),
    }


def _labels(token: ApiToken) -> list[str]:
    return [str(Scope(scope).label) for scope in token.scopes if scope in Scope.values]
