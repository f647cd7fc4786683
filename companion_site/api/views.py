"""What every endpoint does before and after its own work: who asks, whether they may, and how the answer is told."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from companion_site.accounts import limits
from companion_site.accounts.limits import Limit
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, authenticate_token
from companion_site.api.body import Json, JsonAlone, StrictJson
from companion_site.api.errors import CHALLENGE, NoToken, ScopeMissing, TooManyCalls, answer_error
from companion_site.errors import NotFound


class ApiRequest(Request):
    """A request as an endpoint gets it; for annotations, nothing is ever built of it."""

    user: Person
    auth: Bearer


class BearerAuthentication(BaseAuthentication):
    """Opens the space that the token is a key of."""

    def authenticate(self, request: Request) -> tuple[Person, Bearer]:
        """Return who asks. Raises NoToken: nothing was sent that could be a token. BadToken: it opens nothing."""
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


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "companion_site.api.views.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "cmp_…"}


def count_reply(token: UUID, *, now: datetime) -> None:
    """Count a request that a reply is written for, which costs more than any other. Raises TooManyCalls."""
    count_request(token, Limit(name="API replies", most=settings.API_REPLIES_PER_MINUTE), now=now)


def count_request(asking: UUID, limit: Limit, *, now: datetime) -> None:
    """Count a request. Raises TooManyCalls: it is one too many, and is not counted; says when the next may come."""
    wait = limits.count([limit.of(str(asking))], now=now)
    if wait is not None:
        raise TooManyCalls(retry_after_s=wait.total_seconds())


class HasScope(BasePermission):
    """The token may be used for what the method does. What has no such method is told so, whatever the token is for."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = "get" if request.method == "HEAD" else (request.method or "").lower()
        scope = getattr(getattr(view, method, None), "scope", None)
        if scope is not None and not request.auth.may(scope):
            raise ScopeMissing(scope)
        return True


class ApiView(APIView):
    """An endpoint for the bearer of a token; its methods are made by `operations.Endpoints`."""

    http_method_names: ClassVar[list[str]] = ["get", "head", "post", "patch", "delete"]
    authentication_classes: ClassVar[list[Any]] = [BearerAuthentication]
    permission_classes: ClassVar[list[Any]] = [HasScope]
    throttle_classes: ClassVar[list[Any]] = []
    parser_classes: ClassVar[list[Any]] = [StrictJson]
    renderer_classes: ClassVar[list[Any]] = [Json]
    content_negotiation_class: type[JsonAlone] = JsonAlone
    request: ApiRequest

    def check_permissions(self, request: Request) -> None:
        limit = Limit(name="API calls", most=settings.API_CALLS_PER_MINUTE)
        count_request(request.auth.token.pk, limit, now=timezone.now())
        super().check_permissions(request)

    def get_exception_handler(self) -> Any:
        return answer_error


class NothingHere(ApiView):
    """Every address below the API that is none: told like everything else, to whoever asks."""

    authentication_classes: ClassVar[list[Any]] = []
    schema = None

    def initial(self, request: HttpRequest, *args: Any, **ids: Any) -> None:
        raise NotFound()


class Description(SpectacularAPIView):
    """The OpenAPI document; it tells nothing of anybody, so whoever asks may read it."""

    http_method_names: ClassVar[list[str]] = ["get", "head"]
    renderer_classes = [OpenApiJsonRenderer]  # as the class above has it
    content_negotiation_class = JsonAlone


@login_not_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the description so that it can be read and tried out."""
    return render(request, "api/page.html")
