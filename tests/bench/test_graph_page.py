"""What the bench of the graph's page stands on: pages that came, each beside a plain one."""

import pytest

from bench.graph_page import BAR_MS, measure_graph_page


@pytest.mark.django_db
def test_every_line_is_measured():
    """Layout, drawing and pages for a small memory; the page has its bar and is compared with a plain one."""
    rows = list(measure_graph_page(12, rounds=2))
    assert len(rows) == 8 and all(time > 0 for row in rows for time in row.times_ms)
    (page,) = [row for row in rows if "warm" in row.name]
    assert page.bar_ms == BAR_MS and set(page.floors) == {"a plain page", "drawing"}
