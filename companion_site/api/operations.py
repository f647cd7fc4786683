"""One method of an endpoint: what it takes, what it answers and what it may refuse, checked and described at once."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from inspect import cleandoc
from typing import Any, Protocol
from uuid import UUID

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, granted_to
from companion_site.api.errors import CONTENT_TYPE, BadRequest
from companion_site.api.fields import ADDRESS, Strict, read
from companion_site.api.idempotency import HEADER, answer_once, read_key
from companion_site.api.views import ApiRequest, ApiView
from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked

#: What opens, for the length of a method, what its program asks about; yields who may do what there.
Opens = Callable[["Asked"], AbstractContextManager[Any]]

JSON = "application/json"
#: What a token can always be refused for.
ALWAYS = (401, 403, 429)
REFUSALS = {
    400: "It does not fit this description.",
    401: "There is no token, or it opens nothing.",
    403: "The token may not be used for this.",
    404: "There is nothing of that id, or it is somebody else's: the answer is the same.",
    409: "It cannot be done as things stand.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    422: "It fits this description and is refused all the same; `detail` says why.",
    429: "Too many requests; `Retry-After` says for how many seconds.",
}

Method = Callable[..., Any]


class _NoParameters(Strict):
    """What takes none."""


class Problem(serializers.Serializer):
    """What was refused, as RFC 9457 tells it. `code` is for programs, `detail` for people."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    retryable = serializers.BooleanField()
    fields = serializers.DictField(  # a member of the answer, not DRF's own
        child=serializers.ListField(child=serializers.CharField()), required=False
    )
    scope = serializers.CharField(required=False)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What came with a request, checked: its parameters or its body, who asks, and the key of a repeat."""

    bearer: Bearer
    given: dict[str, Any] = field(default_factory=dict)
    key: str | None = None

    @property
    def own_key(self) -> SpaceKey:
        """The key of the person's own space. Raises NotFound: the token opens another, such as an agent's."""
        self.require_own_space()
        return self.bearer.key

    def require_own_space(self) -> None:
        """Refuse a token of an agent's space, for which nothing of its owner's exists.

        Raises:
            NotFound: the token opens another space than the person's own.
        """
        if self.bearer.space.pk != self.bearer.person.space_id:
            raise NotFound()


@dataclass(frozen=True)
class Made:
    """What came to be, and where it is from now on: the name of an address and its ids."""

    what: Any
    address: str
    ids: tuple[Any, ...]


def operation(
    name: str,
    summary: str,
    *,
    scope: str | None = None,
    opens: Opens | None = None,
    query: type[serializers.Serializer] | None = None,
    body: type[serializers.Serializer] | None = None,
    answer: Any = None,
    status: int = 200,
    refuses: Sequence[int] = (),
    repeats: str = "",
) -> Callable[[Method], Method]:
    """Make a method of an endpoint: `(view, asked, **ids)`, or with `opens` `(view, asked, access, **ids)`.

    It returns what is told by `answer`, such as a row or `Made`, or a response that is told already.

    Args:
        scope: what a token needs; None: any token.
        opens: opens what is asked about until the answer is told; whoever may not see it gets 404.
        answer: the serializer of what is answered; None for nothing, or a media type for a file.
        refuses: statuses beyond those that follow from the other arguments.
        repeats: "whole" or "known", where an Idempotency-Key is understood: see `repeating`.
    """

    def make(method: Method) -> Method:
        def work(view: ApiView, asked: Asked, ids: dict[str, Any]) -> HttpResponseBase:
            if opens is None:
                return _tell(method(view, asked, **ids), answer, status)
            with opens(asked) as access:
                return _tell(method(view, asked, access, **ids), answer, status)

        more = refuses if opens is None else (404, *refuses)

        @extend_schema(
            operation_id=name,
            summary=summary,
            description=cleandoc(method.__doc__ or ""),
            parameters=_parameters(query, repeats),
            request=body,
            responses=_responses(answer, status, _refusals(query, body, repeats, more)),
        )
        @wraps(method)
        def run(view: ApiView, request: ApiRequest, **ids: Any) -> HttpResponseBase:
            with granted_to(request.auth):
                asked = _read(request, query, body, repeats)
                if asked.key is None:
                    return work(view, asked, ids)
                return answer_once(
                    asked.bearer,
                    asked.key,
                    asked=f"{request.method} {request.path} {json.dumps(request.data if body else None, sort_keys=True)}",
                    work=lambda: work(view, asked, ids),
                    now=timezone.now(),
                    whole=repeats == "whole",
                )

        run.scope = scope  # type: ignore[attr-defined]  # read by views.HasScope
        return run

    return make


@cache
def page_of(item: type[serializers.Serializer]) -> type[serializers.Serializer]:
    """Return the serializer of a page of items."""
    members = {
        "items": item(many=True),
        "next": serializers.CharField(
            allow_null=True, help_text="`cursor` of the next page; null at the end."
        ),
        "__doc__": f"A page of {item.__name__}.",
        "__module__": item.__module__,
    }
    return type(f"{item.__name__}Page", (serializers.Serializer,), members)


def _tell(found: Any, answer: Any, status: int) -> HttpResponseBase:
    if isinstance(found, HttpResponseBase):
        return found
    headers = {}
    if isinstance(found, Made):
        headers["Location"] = reverse(f"api:{found.address}", args=found.ids)
        found = found.what
    return Response(None if answer is None else answer(found).data, status=status, headers=headers)


def _read(
    request: ApiRequest,
    query: type[serializers.Serializer] | None,
    body: type[serializers.Serializer] | None,
    repeats: str,
) -> Asked:
    given = _NoParameters if query is None else query
    parameters = read(given, _single(request.query_params), **{ADDRESS: True})
    sent = read(body, _single(request.data)) if body is not None else {}
    key = read_key(request.headers.get(HEADER)) if repeats else None
    return Asked(bearer=request.auth, given={**parameters, **sent}, key=key)


def _single(data: Any) -> Any:
    """Return a body; of a form, and of an address, what stands there once: two readers must not understand it in two ways."""
    if not isinstance(data, QueryDict):
        return data
    twice = [name for name, values in data.lists() if len(values) > 1]
    if twice:
        raise BadRequest()
    return dict(data.items())


def _parameters(query: type[serializers.Serializer] | None, repeats: str) -> list[Any]:
    found: list[Any] = [query] if query is not None else []
    if repeats:
        shape = {"type": "string", "pattern": "^[!-~]{1,200}$", "minLength": 1, "maxLength": 200}
        text = "Sent again with the same key, the request is not done again: the first answer comes back."
        found.append(OpenApiParameter(HEADER, shape, OpenApiParameter.HEADER, description=text))
    return found


def _refusals(query: type | None, body: type | None, repeats: str, refuses: Sequence[int]) -> list[int]:
    found = {400, *ALWAYS, *refuses}
    if body is not None:
        found |= {413, 415, 422}
    if repeats:
        found |= {409, 422}
    return sorted(found)


def _responses(answer: Any, status: int, refusals: Sequence[int]) -> dict[Any, Any]:
    told: dict[Any, Any] = {(status, JSON): answer}
    if answer is None:
        told = {status: None}
    elif isinstance(answer, str):
        told = {(status, answer): OpenApiTypes.BINARY}
    problems = {
        (code, CONTENT_TYPE): OpenApiResponse(Problem, description=REFUSALS[code]) for code in refusals
    }
    return {**told, **problems}


class Access(Protocol):
    """What an app's services take first: a space, and the key that opens it."""

    @property
    def space(self) -> UUID: ...
    @property
    def key(self) -> SpaceKey: ...


def opening(access_of: Callable[[Person, SpaceKey], Access]) -> Opens:
    """Return what opens the space that `access_of` names for a person with the key of their own space.

    `access_of` raises NotFound where people of this role have none; a token that opens another space than the person's own,
    such as an agent's, is told the same.
    """

    @contextmanager
    def opened(asked: Asked) -> Iterator[Access]:
        access = access_of(asked.bearer.person, asked.own_key)
        with unlocked(access.space, access.key):
            yield access

    return opened
