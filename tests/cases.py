"""A table of cases tried within one test, where each case as a test of its own would pay for the same fixtures again."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

import pytest
from django.db import connections, transaction


def cases(names: str | Sequence[str], table: Iterable[Any]) -> Callable[[Callable], Callable]:
    """Call a test once for each row of a table, as `pytest.mark.parametrize` has it; every row that fails is told.

    Each row begins with the rows of the database as the fixtures left them. What a fixture keeps elsewhere is shared.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_values(row, len(wanted)) for row in table]

    def decorate(test: Callable) -> Callable:
        signature = inspect.signature(test)
        asks = "request" in signature.parameters

        @wraps(test)
        def try_all(*args: Any, request: pytest.FixtureRequest, **fixtures: Any) -> None:
            subtests = request.getfixturevalue("subtests")
            if asks:
                fixtures["request"] = request
            for row in rows:
                case = dict(zip(wanted, row, strict=True))
                with subtests.test(case=repr(row)[:200]), _as_fixtures_left_it(request):
                    test(*args, **fixtures, **case)

        left = [parameter for name, parameter in signature.parameters.items() if name not in wanted]
        if not asks:
            left.append(inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY))
        try_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return try_all

    return decorate


@contextmanager
def _as_fixtures_left_it(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take back what the block writes, where the test itself works in a transaction."""
    with ExitStack() as stack:
        for connection in connections.all(initialized_only=True):
            if connection.in_atomic_block:
                stack.enter_context(transaction.atomic(using=connection.alias))
                stack.callback(transaction.set_rollback, True, using=connection.alias)
        yield


def _values(row: Any, count: int) -> Sequence[Any]:
    values = row.values if isinstance(row, type(pytest.param())) else row
    return values if count > 1 or isinstance(row, type(pytest.param())) else [values]
