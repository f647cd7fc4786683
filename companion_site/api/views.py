"""What every endpoint does before and after its own work: who asks, whether they may, and how the answer is told."""

from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from companion_site.api.authentication import ApiRequest, BearerAuthentication
from companion_site.api.body import Json, JsonAlone, StrictJson
from companion_site.api.errors import ScopeMissing
from companion_site.api.problems import answer_error
from companion_site.api.throttling import count_call
from companion_site.errors import NotFound


class HasScope(BasePermission):
    """The token may be used for what the method does. What has no such method is told so, whatever the token is for."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = "get" if request.method == "HEAD" else (request.method or "").lower()
        scope = getattr(getattr(view, method, None), "scope", None)
        if scope is not None and not request.auth.may(scope):
            raise ScopeMissing(scope)
        return True


class ApiView(APIView):
    """An endpoint for the bearer of a token; its methods are made by `operations.operation`."""

    http_method_names: ClassVar[list[str]] = ["get", "head", "post", "patch", "delete"]
    authentication_classes: ClassVar[list[Any]] = [BearerAuthentication]
    permission_classes: ClassVar[list[Any]] = [HasScope]
    throttle_classes: ClassVar[list[Any]] = []
    parser_classes: ClassVar[list[Any]] = [StrictJson]
    renderer_classes: ClassVar[list[Any]] = [Json]
    content_negotiation_class = JsonAlone
    request: ApiRequest

    def check_permissions(self, request: Request) -> None:
        count_call(request.auth.token.pk, now=timezone.now())
        super().check_permissions(request)

    def get_exception_handler(self) -> Any:
        return answer_error

    def finalize_response(self, request: Request, response: Response, *args: Any, **ids: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **ids)
        add_never_cache_headers(answer)
        return answer


class NothingHere(ApiView):
    """Every address below the API that is none: told like everything else, to whoever asks."""

    authentication_classes: ClassVar[list[Any]] = []
    schema = None

    def initial(self, request: HttpRequest, *args: Any, **ids: Any) -> None:
        raise NotFound()
