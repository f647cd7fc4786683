"""Benches are tried out where everything is."""

import pytest

from companion_site.running import PROJECT


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(PROJECT / "tests" / "bench"):
            item.add_marker(pytest.mark.slow)
