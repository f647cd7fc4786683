"""What the bench of a company's memory at scale stands on: rows as the site would have written them, all of it read."""

import numpy as np
import pytest
from django.db import connections

from bench.company_rows import NOW, TABLES, draw_sizes, make_companies
from bench.company_scale import INJECTION_BAR_MS, SEARCH_BAR_MS, measure_scale
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import space_scope
from memory.models import CompanyFact, CompanyFactVector


def test_sizes_are_uneven_and_add_up():
    """Every company has a fact, all of them together the number asked for, a few of them most."""
    sizes = draw_sizes(100_000, 2_000)
    assert sizes.sum() == 100_000 and sizes.min() >= 1 and (np.diff(sizes) <= 0).all()
    assert sizes[:200].sum() > 50_000 and sizes[0] > 50 * np.median(sizes)


def test_rows_are_made_and_every_line_is_measured(committed):
    """Facts of each state with vectors, in their own spaces, under row-level security as before; no line is empty."""
    embedder = get_embedder()
    scale = make_companies(600, 12, embedder=embedder, with_vectors=12)
    largest = scale.spaces[0]
    with space_scope(largest):
        facts = CompanyFact.objects.for_space(largest)
        assert facts.count() == scale.sizes[0]
        assert facts.active(NOW).exists() and facts.filter(superseded_by__isnull=False).exists()
        later = facts.filter(superseded_by__isnull=False).values_list(
            "superseded_at", "superseded_by__created_at"
        )
        assert all(ended == begun for ended, begun in later)
        vector = CompanyFactVector.objects.for_space(largest).first()
        assert (vector.model, vector.dimension) == (embedder.model, embedder.dimension)
        assert np.linalg.norm(vector.embedding) == pytest.approx(1, abs=1e-4)
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT bool_and(relforcerowsecurity) FROM pg_class WHERE relname = ANY(%s)", [list(TABLES)]
        )
        assert cursor.fetchone() == (True,)
    rows = list(measure_scale(scale, rounds=2, tries=1, with_vectors=12))
    assert len(rows) == 18 and all(time > 0 for row in rows for time in row.times_ms)
    assert {row.bar_ms for row in rows} == {None, INJECTION_BAR_MS, SEARCH_BAR_MS}
