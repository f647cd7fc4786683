"""From bytes to statements; whatever is wrong is refused with its place and what would be right, never with what was sent."""

import json
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from companion_site.accounts.strict_json import BadJson, load_json
from memory.inbound.xapi.errors import StatementRefused, StatementTooLarge
from memory.inbound.xapi.statements import Statement, identity_of

MOST_STATEMENTS = 100
MOST_BYTES = 1_000_000


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
        return load_json(raw)
    except BadJson as error:
        raise StatementRefused(str(error)) from None


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
