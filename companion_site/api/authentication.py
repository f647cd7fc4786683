"""Who asks: the bearer of an API token. Which page or cookie else comes with the request means nothing here."""

from datetime import datetime

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, authenticate_token
from companion_site.api.errors import NoToken
from companion_site.api.problems import CHALLENGE


class ApiRequest(Request):
    """A request as an endpoint gets it; for annotations, nothing is ever built of it."""

    user: Person
    auth: Bearer


class BearerAuthentication(BaseAuthentication):
    """Opens the space that the token is a key of."""

    def authenticate(self, request: Request) -> tuple[Person, Bearer]:
        """Return who asks.

        Raises:
            NoToken: nothing was sent that could be a token. BadToken: it opens nothing.
        """
        bearer = bearer_of(request.headers.get("Authorization", ""), now=timezone.now())
        return bearer.person, bearer

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


def bearer_of(header: str, *, now: datetime) -> Bearer:
    """Return who an Authorization header stands for.

    Raises:
        NoToken: nothing was sent that could be a token. BadToken: it opens nothing.
    """
    scheme, _separator, text = header.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise NoToken()
    return authenticate_token(text.strip(), now=now)
