"""The same request sent twice is done once: by its Idempotency-Key the first answer is given again.

The key is claimed before anything is done. Work that is one transaction takes the claim and the answer into it, so
both stand or neither does; other work is done between the two, and known again by ids that are made from the key, or by what
it left: the same nodes change nothing, the same pack is there.
"""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.db import IntegrityError
from django.utils.translation import gettext_lazy as _
from rest_framework.response import Response

from companion_site.accounts.tokens import Bearer
from companion_site.api.errors import BadRequest, KeyReused, StillRunning
from companion_site.api.models import KeptAnswer
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
NO_KEY = _("Send 1 to 200 visible ASCII characters, without spaces.")
SHAPE = re.compile(r"[\x21-\x7e]{1,200}")
#: How long an answer is kept.
KEPT_FOR = timedelta(hours=24)
#: A request that has not ended by then was cut short, and may be sent again.
GIVEN_UP_AFTER = timedelta(minutes=2)


def read_key(text: str | None) -> str | None:
    """Return the key that came with a request; None for none. Raises BadRequest: it is none that can be kept."""
    if text is None:
        return None
    if not SHAPE.fullmatch(text):
        raise BadRequest(fields={HEADER: [str(NO_KEY)]})
    return text


def id_from_key(bearer: Bearer, key: str, *, purpose: str) -> UUID:
    """Return the id by which what a key asked for is known again, however often it is asked for."""
    return uuid5(bearer.token.pk, f"{purpose} {key}")


def answer_once(
    bearer: Bearer,
    key: str,
    *,
    asked: str,
    work: Callable[[], Response],
    now: datetime,
    whole: bool,
) -> Response:
    """Do `work` and keep its answer, or return the one that is kept. What is refused is not kept.

    Args:
        asked: the request in words, by which it is known that the key came with the same.
        whole: the work is one short transaction, in which claim and answer are written as well.

    Raises:
        KeyReused: the key came with another request. StillRunning: the first has not ended.
    """
    hashes = (
        bearer.key.keyed_hash(f"api.key {bearer.token.pk} {key}"),
        bearer.key.keyed_hash(f"api.request {asked}"),
    )
    with ExitStack() as stack:
        if whole:
            stack.enter_context(space_scope(bearer.space.pk))
        row = _claim(bearer, *hashes, now=now)
        if row.status is not None:
            return _again(bearer, row)
        try:
            answer = work()
        except BaseException:
            if not whole:
                _let_go(row)
            raise
        _keep(bearer, row, answer)
    return answer


def _claim(bearer: Bearer, key_hash: bytes, request_hash: bytes, *, now: datetime) -> KeptAnswer:
    """Return a row of this request's own, or the one that has the answer."""
    space, token = bearer.space.pk, bearer.token.pk
    with space_scope(space):
        rows = KeptAnswer.objects.for_space(space)
        rows.filter(begun_at__lte=now - KEPT_FOR).delete()
        found = rows.filter(token_id=token, key_hash=key_hash)
        try:
            with space_scope(space):
                return rows.create(
                    space_id=space,
                    token_id=token,
                    key_hash=key_hash,
                    request_hash=request_hash,
                    begun_at=now,
                )
        except IntegrityError:
            row = found.select_for_update().get()
        if bytes(row.request_hash) != request_hash:
            raise KeyReused()
        if row.status is None:
            if now - row.begun_at < GIVEN_UP_AFTER:
                raise StillRunning()
            row.begun_at = now
            row.save(update_fields=["begun_at"])
        return row


def _keep(bearer: Bearer, row: KeptAnswer, answer: Response) -> None:
    with space_scope(bearer.space.pk), unlocked(bearer.space.pk, bearer.key):
        row.status = answer.status_code
        row.body = json.dumps([answer.data, answer.headers.get("Location")], default=str)
        row.save(update_fields=["status", "body"])


def _let_go(row: KeptAnswer) -> None:
    with space_scope(row.space_id):
        KeptAnswer.objects.for_space(row.space_id).filter(pk=row.pk, status__isnull=True).delete()


def _again(bearer: Bearer, row: KeptAnswer) -> Response:
    with unlocked(bearer.space.pk, bearer.key):
        data, location = json.loads(row.body or "[null, null]")
    headers: dict[str, Any] = {REPLAYED: "true"} | ({"Location": location} if location else {})
    return Response(data, status=row.status, headers=headers)


def drop_kept_answers(*, now: datetime) -> int:
    """Delete every kept answer whose hours are over, in whatever space; return how many."""
    oldest = now - KEPT_FOR
    # Across spaces, so by the role that sees no content.
    rows = KeptAnswer.objects.using("metadata").filter(begun_at__lte=oldest).order_by("space_id")
    dropped = 0
    for space in list(rows.values_list("space_id", flat=True).distinct()):
        with space_scope(space):
            dropped += KeptAnswer.objects.for_space(space).filter(begun_at__lte=oldest).delete()[0]
    return dropped
