"""The operations of the API: what each takes, answers and may refuse, checked and described at once, and its address."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache, partialmethod
from hashlib import file_digest
from inspect import cleandoc
from typing import Any, cast

from django.core.files import File
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from companion_site.accounts.access import Access
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, granted_to
from companion_site.api.body import FormAlone
from companion_site.api.errors import CONTENT_TYPE, BadRequest
from companion_site.api.fields import ADDRESS, Strict, read
from companion_site.api.idempotency import HEADER, answer_once, read_key
from companion_site.api.paging import PageQuery
from companion_site.api.views import ApiRequest, ApiView
from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey

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

Function = Callable[..., Any]


class NoParameters(Strict):
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
    request: HttpRequest
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
    """What came to be, and where it is from now on: the name of what shows it, and its ids."""

    what: Any
    address: str
    ids: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What one function of the API takes, answers and may refuse.

    Attributes:
        has_ids: something is named in the address, which may be nobody's.
        scope: what a token needs; None: any token.
        opens: opens what is asked about until the answer is told; whoever may not see it gets 404.
        answer: the serializer of what is answered; None for nothing, or a media type for a file.
        refuses: statuses beyond those that follow from the others.
        repeats: what the same POST again does: "whole" or "known", by its Idempotency-Key the first answer comes again (see
            `idempotency`); "harmless", it only reads, or does nothing more, and takes no key.
        is_form: a form with a file is sent, and no JSON.
    """

    summary: str
    has_ids: bool
    scope: str | None = None
    opens: Opens | None = None
    query: type[serializers.Serializer] = NoParameters
    body: type[serializers.Serializer] | None = None
    answer: Any = None
    status: int = 200
    refuses: Sequence[int] = ()
    repeats: str = ""
    is_form: bool = False

    @property
    def is_repeated(self) -> bool:
        """Whether an Idempotency-Key is understood."""
        return self.repeats in ("whole", "known")


class Endpoints:
    """The operations of one part of the API by address and method; what is `shared` holds for each that says nothing else.

    A function is called with what was asked, what `opens` yields where it opens anything, and the ids of the address. It
    returns what is told by `answer`, such as a row or `Made`, or a response that is told already. With `pages`, a serializer,
    in place of `answer` it returns a `Page` of items.
    """

    def __init__(self, **shared: Any) -> None:
        self._shared = shared
        self._views: dict[str, type[ApiView]] = {}

    def add(self, method: str, address: str, summary: str, **more: Any) -> Callable[[Function], Function]:
        """Make a function an operation of its name; an address is called as the first operation there."""
        if item := more.pop("pages", None):
            more = {"query": PageQuery, **more, "answer": page_of(item)}
        about = Operation(summary=summary, has_ids="<" in address, **{**self._shared, **more})

        def make(function: Function) -> Function:
            made = cast(type[ApiView], type(function.__name__, (ApiView,), {}))
            view = self._views.setdefault(address, made)
            setattr(view, method, _as_method(function, about))
            if about.is_form:
                view.parser_classes, view.content_negotiation_class = [MultiPartParser], FormAlone
            return function

        return make

    get, post = partialmethod(add, "get"), partialmethod(add, "post")
    patch, delete = partialmethod(add, "patch"), partialmethod(add, "delete")

    @property
    def urls(self) -> list[URLPattern]:
        """The addresses, for when all operations are there."""
        return [path(address, view.as_view(), name=view.__name__) for address, view in self._views.items()]


def _as_method(function: Function, about: Operation) -> Callable[..., HttpResponseBase]:
    """Return an operation as a method of a view."""

    def work(asked: Asked, ids: dict[str, Any]) -> HttpResponseBase:
        if about.opens is None:
            return _tell(function(asked, **ids), about)
        with about.opens(asked) as access:
            return _tell(function(asked, access, **ids), about)

    @extend_schema(
        operation_id=function.__name__,
        summary=about.summary,
        description=cleandoc(function.__doc__ or ""),
        parameters=_parameters(about),
        request=about.body,
        responses=_responses(about),
    )
    def run(view: ApiView, request: ApiRequest, **ids: Any) -> HttpResponseBase:
        with granted_to(request.auth.authority):
            asked = _read(request, about)
            if asked.key is None:
                return work(asked, ids)
            sent = json.dumps(request.data if about.body else None, sort_keys=True, default=_digest)
            return answer_once(
                asked.bearer,
                asked.key,
                asked=f"{request.method} {request.path} {sent}",
                work=lambda: work(asked, ids),
                now=timezone.now(),
                whole=about.repeats == "whole",
            )

    run.scope = about.scope  # type: ignore[attr-defined]  # read by views.HasScope
    run.repeats = about.repeats  # type: ignore[attr-defined]
    return run


def _digest(file: File) -> str:
    """Return the SHA-256 of a file that was sent, which is read from its beginning again."""
    file.seek(0)
    found = file_digest(file, "sha256").hexdigest()
    file.seek(0)
    return found


@cache
def page_of(item: type[serializers.Serializer]) -> type[serializers.Serializer]:
    """Return the serializer of a page of items."""
    following = serializers.CharField(
        allow_null=True, help_text="`cursor` of the next page; null at the end."
    )
    return _several(item, "Page", next=following)


@cache
def list_of(item: type[serializers.Serializer]) -> type[serializers.Serializer]:
    """Return the serializer of items that are told all at once."""
    return _several(item, "List")


def _several(item: type[serializers.Serializer], kind: str, **more: Any) -> type[serializers.Serializer]:
    doc = f"A {kind.lower()} of {item.__name__}."
    members = {"items": item(many=True), **more, "__doc__": doc, "__module__": item.__module__}
    return type(f"{item.__name__}{kind}", (serializers.Serializer,), members)


def _tell(found: Any, about: Operation) -> HttpResponseBase:
    if isinstance(found, HttpResponseBase):
        return found
    headers = {}
    if isinstance(found, Made):
        headers["Location"] = reverse(f"api:{found.address}", args=found.ids)
        found = found.what
    told = None if about.answer is None else about.answer(found).data
    return Response(told, status=about.status, headers=headers)


def _read(request: ApiRequest, about: Operation) -> Asked:
    parameters = read(about.query, _single(request.query_params), **{ADDRESS: True})
    has_body = about.body is not None or request.method not in ("GET", "HEAD")
    sent = read(about.body or NoParameters, _single(request.data)) if has_body else {}
    key = read_key(request.headers.get(HEADER)) if about.is_repeated else None
    return Asked(bearer=request.auth, request=request._request, given={**parameters, **sent}, key=key)


def _single(data: Any) -> Any:
    """Return a body; of a form, and of an address, what stands there once: two readers must not understand it in two ways."""
    if not isinstance(data, QueryDict):
        return data
    twice = [name for name, values in data.lists() if len(values) > 1]
    if twice:
        raise BadRequest()
    return dict(data.items())


def _parameters(about: Operation) -> list[Any]:
    found: list[Any] = [] if about.query is NoParameters else [about.query]
    if about.is_repeated:
        shape = {"type": "string", "pattern": "^[!-~]{1,200}$", "minLength": 1, "maxLength": 200}
        text = "Sent again with the same key, the request is not done again: the first answer comes back."
        found.append(OpenApiParameter(HEADER, shape, OpenApiParameter.HEADER, description=text))
    return found


def _responses(about: Operation) -> dict[Any, Any]:
    told: dict[Any, Any] = {(about.status, JSON): about.answer}
    if about.answer is None:
        told = {about.status: None}
    elif isinstance(about.answer, str):
        told = {(about.status, about.answer): OpenApiTypes.BINARY}
    refused = {400, *ALWAYS, *about.refuses}
    refused |= {404} if about.opens is not None or about.has_ids else set()
    refused |= {413, 415, 422} if about.body is not None else set()
    refused |= {409, 422} if about.is_repeated else set()
    problems = {
        (code, CONTENT_TYPE): OpenApiResponse(Problem, description=REFUSALS[code]) for code in sorted(refused)
    }
    return {**told, **problems}


def opening(access_of: Callable[[Person, SpaceKey], Access]) -> Opens:
    """Return what opens the space that `access_of` names for a person with the key of their own space.

    `access_of` raises NotFound where people of this role have none; a token that opens another space than the person's own,
    such as an agent's, is told the same.
    """

    @contextmanager
    def opened(asked: Asked) -> Iterator[Access]:
        access = access_of(asked.bearer.person, asked.own_key)
        with access.open():
            yield access

    return opened
