"""The bench of compression: what it stands beside, and that it measures what it says."""

import pytest

from bench.compression import _compress, _rows_of_last_run, measure_compression
from bench.students import make_space
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun


@pytest.mark.spec("G5")
def test_each_line_stands_beside_its_floor(db):
    """Compression to half and a second time, beside reading the same rows and writing as many."""
    compressed, again, reading, writing = measure_compression([24])
    assert set(compressed.floors) == {"reading and opening all rows", "that and writing as many"}
    assert compressed.times_ms[0] > reading.times_ms[0]
    assert again.times_ms[0] > 0 < writing.times_ms[0]
    assert "24 memories" in compressed.name


def test_what_was_measured_was_done(db):
    """The runs are on record: half of the memories are left, and the second changed nothing."""
    space = make_space(24, username="bench-compression-record")
    _compress(space, 12)
    written = _rows_of_last_run(space)
    assert _compress(space, 12)[1]["nodes"] == 12
    with space_scope(space.access.space):
        runs = list(CompressionRun.objects.for_space(space.access.space).order_by("id"))
    assert [run.after["nodes"] for run in runs] == [12, 12]
    assert runs[0].integrity_hash == runs[1].integrity_hash
    assert written >= 24
