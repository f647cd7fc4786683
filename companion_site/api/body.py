"""The body of a request: JSON alone, read strictly, and no larger than may be sent."""

from collections.abc import Mapping
from typing import IO, Any

from django.urls import reverse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from companion_site.accounts.strict_json import load_json
from companion_site.api.errors import CONTENT_TYPE, BadRequest, BodyTooLarge, NotAForm, tell
from companion_site.body_limits import Bound

#: A message of `MESSAGE_MAX_CHARS` fits however it is escaped.
BODY_BYTES = 512 * 1024


class StrictJson(BaseParser):
    """What two readers could understand in two ways is not read at all."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> dict[str, Any]:
        """Return the object that the body is.

        Raises:
            BodyTooLarge: it is; nothing beyond the limit is read. BadJson, BadRequest: it is no object of JSON.
        """
        raw = stream.read(BODY_BYTES + 1)
        if len(raw) > BODY_BYTES:
            raise BodyTooLarge()
        given = load_json(raw, nul=True)
        if not isinstance(given, dict):
            raise BadRequest()
        return given


class JsonAlone(BaseContentNegotiation):
    """JSON is answered, whatever a program says that it would rather have."""

    def select_parser(self, request: Request, parsers: list[BaseParser]) -> BaseParser | None:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: list[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class FormAlone(JsonAlone):
    """JSON is answered; a form is taken, since there is a file in it."""

    def select_parser(self, request: Request, parsers: list[BaseParser]) -> BaseParser:
        """Return the parser of a form. Raises NotAForm: something else was sent."""
        parser = super().select_parser(request, parsers)
        if parser is None:
            raise NotAForm()
        return parser


class Json(JSONRenderer):
    """Told in UTF-8, in the order it was said."""

    charset = None


def is_of_api(path: str) -> bool:
    return path.startswith(reverse("api:page"))


async def most_bytes(headers: Mapping[str, str]) -> int:
    return BODY_BYTES


def refuse_body() -> tuple[int, str, bytes]:
    """Return the refusal of a body that is too large."""
    answer = tell(BodyTooLarge())
    return answer.status_code, CONTENT_TYPE, Json().render(answer.data)


BODIES = Bound(takes=is_of_api, most=most_bytes, refuse=refuse_body)
