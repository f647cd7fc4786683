"""A student's key and words leave the memory of the site's processes, on a running site."""

import os
import subprocess
import sys

import pytest

from bench.process_memory import Wanted, search
from bench.residue import measure, render
from companion_site.residue import has_glibc

pytestmark = pytest.mark.skipif(not has_glibc(), reason="only glibc overwrites what is freed")
#: What the worker's last job and its sweep may take on a busy machine.
WAIT_S = 45
#: Pieces of words that may stay (docs/memory-residue.md); of keys and vectors none may.
REMAINDER = 10


@pytest.mark.spec("G11")
def test_nothing_of_a_person_stays_in_memory_after_they_left(tmp_path):
    """Neither keys, password and vectors nor more than the documented remainder of words, while somebody else goes on."""
    residue = measure(tmp_path, sentences=6, wait_s=WAIT_S, CORE_DUMPS="true")
    told = "\n".join(render(residue))
    assert residue.memories > 0
    kinds = {kind for found in residue.by_process.values() for kind, *_ in found.counts}
    assert kinds <= {"words"}, told
    assert residue.total("words") <= REMAINDER, told


HOLDING = """
import base64, sys
word, tail = sys.argv[1], "bb"
key = bytes.fromhex(sys.argv[2])
masked = bytes(octet ^ mask for octet, mask in zip(f"xx{word}{tail}".encode(), b"\\x17\\xa2\\x5c\\x91" * 6))
kept = [key, masked, base64.b64encode(f"30817{word}".encode())]
kept += [
    f"30817 {word}{tail}{tail} {mark}".encode(form)
    for mark, form in (("å", "utf-8"), ("—", "utf-16-le"), ("🏊", "utf-32-le"))
]
print("held", flush=True)
sys.stdin.read()
"""


def test_the_search_finds_what_is_there():
    """In another process: a key, and words in every width a text may have, in base64 and masked as a browser masks them."""
    key, word = os.urandom(32), "qvorxilbangth"[::-1]
    command = [sys.executable, "-c", HOLDING, word, key.hex()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        wanted = Wanted({"data key": key}, word, {"sentence 0": word + "bbbb"})
        forms = {hit.form for hit in search(holder.pid, wanted)}
    assert {"raw", "utf-8", "utf-16-le", "utf-32-le", "masked frame"} <= forms
    assert any(form.startswith("base64") for form in forms)
