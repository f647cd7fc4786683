"""How large the body of a request to the REST API may be, and how one that is larger is told so: like every other refusal."""

from collections.abc import Mapping

from django.urls import reverse

from companion_site.api.body import Json
from companion_site.api.errors import BodyTooLarge
from companion_site.api.params import API
from companion_site.api.problems import CONTENT_TYPE, tell
from companion_site.body_limits import Bound


def is_of_api(path: str) -> bool:
    return path.startswith(reverse("api:page"))


async def most_bytes(headers: Mapping[str, str]) -> int:
    return API.body_bytes


def refuse_body() -> tuple[int, str, bytes]:
    """Return the refusal of a body that is too large."""
    answer = tell(BodyTooLarge())
    return answer.status_code, CONTENT_TYPE, Json().render(answer.data)


BODIES = Bound(takes=is_of_api, most=most_bytes, refuse=refuse_body)
