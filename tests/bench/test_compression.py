"""The bench of compression: what it stands beside, and that it measures what it says."""

import pytest

from bench.compression import measure_compression
from companion_site.accounts.models import Person
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun


@pytest.mark.spec("G5")
def test_each_line_stands_beside_its_floor_and_was_done(db):
    """Compression to half and a second time, which changes nothing, beside reading the same rows and writing as many."""
    compressed, again, reading, writing = measure_compression([24])
    assert set(compressed.floors) == {"reading and opening all rows", "that and writing as many"}
    assert compressed.times_ms[0] > reading.times_ms[0]
    assert again.times_ms[0] > 0 < writing.times_ms[0]
    assert "24 memories" in compressed.name
    space = Person.objects.get(username="bench-compression-24").space_id
    with space_scope(space):
        first, second = CompressionRun.objects.for_space(space).order_by("id")
    assert first.after["nodes"] == second.after["nodes"] == 12
    assert first.integrity_hash == second.integrity_hash
