"""From bytes to statements; whatever is wrong is refused with its place and what would be right, never with what was sent."""

import json
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from memory.xapi.errors import StatementRefused, StatementTooLarge
from memory.xapi.statements import Statement, identity_of

MOST_STATEMENTS = 100
MOST_BYTES = 1_000_000
MOST_DEPTH = 20


class Reported:
    """A statement with the bytes that it is compared by when its id comes again."""

    def __init__(self, statement: Statement, given: dict[str, Any]) -> None:
        self.statement = statement
        compared = {**identity_of(given), "id": str(statement.id)}
        self.identity = json.dumps(
            compared, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        ).encode()


def parse_statements(raw: bytes, *, statement_id: UUID | None = None) -> list[Reported]:
    """Return the statements of a request's body, one or a list.

    Args:
        statement_id: the one that the address names; then the body holds one statement, of this id or of none.

    Raises:
        StatementTooLarge, StatementRefused.
    """
    if len(raw) > MOST_BYTES:
        raise StatementTooLarge()
    given = _load(raw)
    items = given if isinstance(given, list) and statement_id is None else [given]
    if len(items) > MOST_STATEMENTS:
        raise StatementTooLarge()
    reported = [_read(item, place, statement_id) for place, item in enumerate(items)]
    ids = [report.statement.id for report in reported]
    if len(set(ids)) < len(ids):
        raise StatementRefused("Two statements have the same id. Give each its own.")
    return reported


def _load(raw: bytes) -> Any:
    try:
        text = raw.decode()
        given = json.loads(text, parse_constant=_refuse, object_pairs_hook=_refuse_repeats)
        # Half a character can be written in JSON but not in UTF-8.
        json.dumps(given, ensure_ascii=False).encode()
        too_deep = _depth(given) > MOST_DEPTH
    except RecursionError:
        too_deep = True
    except (ValueError, UnicodeError):
        raise StatementRefused("The body is no JSON in UTF-8.") from None
    if too_deep:
        raise StatementRefused(f"The body is nested deeper than {MOST_DEPTH} levels.")
    return given


def _read(item: Any, place: int, statement_id: UUID | None) -> Reported:
    if not isinstance(item, dict):
        raise StatementRefused(f"Statement {place}: a statement is a JSON object.")
    if statement_id is not None:
        item = {"id": str(statement_id), **item}
    try:
        statement = Statement.model_validate(item)
    except ValidationError as error:
        raise StatementRefused(f"Statement {place}: {_tell(error)}") from None
    if statement_id is not None and statement.id != statement_id:
        raise StatementRefused("The id in the statement is not the one in the address.")
    return Reported(statement, item)


def _tell(error: ValidationError) -> str:
    """Return the first thing that is wrong: where, by our own names for it, and what is expected there."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = [str(part) for part in first["loc"] if isinstance(part, str) and part in NAMES]
    return f"{'.'.join(known) or 'statement'}: {first['msg']}"


#: names of the standard that may be repeated to the sender; keys of their own making are not
NAMES = {
    "id", "actor", "account", "homePage", "name", "objectType", "verb", "object", "definition", "description", "result",
    "score", "scaled", "raw", "max", "success", "completion", "response", "timestamp",
}  # fmt: skip


def _depth(value: Any) -> int:
    """Return how deep a value is nested; walks with a list of its own, so that depth costs no stack."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        found, depth = waiting.pop()
        deepest = max(deepest, depth)
        parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        waiting.extend((part, depth + 1) for part in parts)
    return deepest


def _refuse(word: str) -> None:
    raise ValueError("no number")


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found
