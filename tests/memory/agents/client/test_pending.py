"""Calls that wait: in their order, none lost, and on a disk never in the clear."""

import pytest

from memory.agents.client import PendingCalls, PendingFull, QueueInUse, SealedPendingCalls
from tests.processes import run_python

pytestmark = pytest.mark.spec("K8")

TOKEN = "cmp_" + "a" * 86
SECRET = "the marmalade is under the third stair"


def reopened(path, *, token=TOKEN) -> SealedPendingCalls:
    return SealedPendingCalls(path, token=token)


def taken_out(pending: PendingCalls) -> list[str]:
    """Return what waits, one after the other, as a replay would."""
    found = []
    while (call := pending.first()) is not None:
        found.append(call.arguments["text"])
        pending.done(call)
    return found


@pytest.fixture
def queue(tmp_path):
    pending = SealedPendingCalls(tmp_path / "queue", token=TOKEN)
    yield pending
    pending.close()


def test_calls_come_out_in_the_order_they_went_in(queue, tmp_path):
    """Both kinds keep the order; on disk it outlasts the program, over the tenth call too."""
    texts = [f"call {number}" for number in range(12)]
    in_memory = PendingCalls()
    for text in texts:
        in_memory.add("tool", {"text": text})
        queue.add("tool", {"text": text})
    assert taken_out(in_memory) == texts
    queue.done(queue.first())
    queue.close()
    later = reopened(tmp_path / "queue")
    later.add("tool", {"text": "last"})
    assert taken_out(later) == [*texts[1:], "last"]
    later.close()
    assert len(reopened(tmp_path / "queue")) == 0


def test_nothing_stands_on_the_disk_in_the_clear(queue, tmp_path):
    """Neither words nor the name of the tool can be read from the files, and only their owner may open them."""
    queue.add("kom.memory.v1.save_context", {"text": SECRET})
    files = [path for path in (tmp_path / "queue").iterdir() if path.suffix == ".pending"]
    assert len(files) == 1
    raw = files[0].read_bytes()
    assert SECRET.encode() not in raw and b"save_context" not in raw and TOKEN.encode() not in raw
    assert files[0].stat().st_mode & 0o077 == 0


def test_another_token_reads_nothing_and_deletes_nothing(queue, tmp_path):
    """What waits under one token waits on when another comes along; numbers go on behind it."""
    queue.add("tool", {"text": SECRET})
    queue.close()
    other = reopened(tmp_path / "queue", token="cmp_" + "b" * 86)
    assert (len(other), other.unreadable) == (0, 1)
    other.add("tool", {"text": "mine"})
    other.close()
    assert taken_out(reopened(tmp_path / "queue")) == [SECRET]


def test_what_was_changed_on_the_disk_is_not_believed(queue, tmp_path):
    """A file that was changed, cut short, or moved to another place in the order is not read."""
    for text in ("first", "second", "third"):
        queue.add("tool", {"text": text})
    queue.close()
    first, second, third = sorted((tmp_path / "queue").glob("*.pending"))
    raw = first.read_bytes()
    first.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    second.write_bytes(second.read_bytes()[:5])
    third.rename(third.with_name("0000000000000009.pending"))
    later = reopened(tmp_path / "queue")
    assert (len(later), later.unreadable) == (0, 3)


def test_a_write_that_was_cut_short_is_as_if_it_never_was(queue, tmp_path):
    """A file that is not whole does not count, is cleared away, and is in nobody's way once the disk has room again."""
    part = tmp_path / "queue" / "0000000000000001.part"
    part.write_bytes(b"half of something longer than what comes in its place" * 20)
    queue.add("tool", {"text": "whole"})
    assert not part.exists()
    queue.close()
    part = part.with_stem("0000000000000002")
    part.write_bytes(b"half of it")
    later = reopened(tmp_path / "queue")
    assert not part.exists()
    later.add("tool", {"text": "next"})
    assert taken_out(later) == ["whole", "next"]


@pytest.mark.parametrize("bound", [{"most": 2}, {"most_bytes": 40}])
def test_more_than_may_wait_is_refused_and_not_dropped(tmp_path, bound):
    """A full queue says so, and keeps what it has."""
    for pending in (PendingCalls(**bound), SealedPendingCalls(tmp_path / "queue", token=TOKEN, **bound)):
        pending.add("tool", {"text": "first"})
        pending.add("tool", {"text": "second"})
        with pytest.raises(PendingFull):
            pending.add("tool", {"text": "third"})
        assert taken_out(pending) == ["first", "second"]
        pending.add("tool", {"text": "now there is room"})


def test_a_call_that_is_refused_for_good_is_set_aside(queue, tmp_path):
    """It does not hold up those behind it, stays on the disk, and is not tried again."""
    queue.add("tool", {"text": "bad"})
    queue.add("tool", {"text": "good"})
    queue.refused(queue.first())
    assert len(list((tmp_path / "queue").glob("*.refused"))) == 1
    queue.close()
    assert taken_out(reopened(tmp_path / "queue")) == ["good"]


def test_two_processes_do_not_wait_with_the_same_queue(queue, tmp_path):
    """The second is told at once; neither sees the other's calls twice."""
    code = (
        "import sys; from memory.agents.client import SealedPendingCalls as S; S(sys.argv[1], token='cmp_x')"
    )
    assert "QueueInUse" in run_python("-c", code, tmp_path / "queue", timeout=60).stderr
    with pytest.raises(QueueInUse):
        reopened(tmp_path / "queue")


def test_the_library_needs_no_django():
    """A program without Django, and without this site's settings, can import all of it."""
    code = (
        "import sys; sys.modules['django'] = None; import memory.agents.client as o; "
        "o.McpAdapter('http://127.0.0.1:1/mcp', 'cmp_x'); o.PendingCalls(); "
        "sys.exit(any(name.startswith('companion_site') for name in sys.modules))"
    )
    ended = run_python("-c", code, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
