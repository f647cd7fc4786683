"""Benches are tried out where everything is."""

from contextlib import nullcontext

import pytest

from companion_site.running import PROJECT


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(PROJECT / "tests" / "bench"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def measured_here(monkeypatch, committed) -> None:
    """Have a bench measure in this process and its database, where it would make a site for itself."""
    for module in ("bench.replies", "bench.lifecycle_conversations"):
        monkeypatch.setattr(f"{module}.scratch_site", lambda **_: nullcontext())
