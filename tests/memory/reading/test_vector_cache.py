"""Vectors of our own sentences are kept on disk, whole or not at all."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from memory.reading.vector_cache import embed_own

SENTENCES = ["I like tea.", "Jag tycker om te."]


class Counting:
    """An embedder of constant vectors that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, texts):
        self.calls += 1
        return np.arange(3 * len(texts), dtype=np.float32).reshape(-1, 3)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path / "prototypes"


def test_the_second_process_reads_what_the_first_embedded():
    """Embedding happens once for each wording and model."""
    embed = Counting()
    first = embed_own(SENTENCES, embed=embed, model="a")
    assert np.array_equal(embed_own(SENTENCES, embed=embed, model="a"), first) and embed.calls == 1
    embed_own(SENTENCES, embed=embed, model="b")
    embed_own([*SENTENCES, "Another."], embed=embed, model="a")
    assert embed.calls == 3


def test_of_two_that_start_at_once_one_embeds():
    """The other waits for it and reads: a first start does the work once."""
    embed, begun = Counting(), Event()

    def slowly(texts):
        begun.set()
        time.sleep(0.2)
        return embed(texts)

    with ThreadPoolExecutor() as pool:
        first = pool.submit(embed_own, SENTENCES, embed=slowly, model="a")
        begun.wait(10)
        second = pool.submit(embed_own, SENTENCES, embed=slowly, model="a")
        assert np.array_equal(first.result(10), second.result(10)) and embed.calls == 1


@pytest.mark.parametrize("damage", [b"", b"no array", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'"])
def test_a_damaged_file_is_made_anew(folder, damage):
    """Half-written, empty or foreign: it is embedded again and written whole."""
    embed = Counting()
    first = embed_own(SENTENCES, embed=embed, model="a")
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert np.array_equal(embed_own(SENTENCES, embed=embed, model="a"), first)
    assert embed.calls == 2 and np.array_equal(np.load(file), first)


def test_without_a_folder_nothing_is_lost(folder):
    """Where the folder cannot be made, sentences are embedded each time."""
    folder.write_text("in the way")
    embed = Counting()
    assert embed_own(SENTENCES, embed=embed, model="a").shape == (2, 3)
    assert embed_own(SENTENCES, embed=embed, model="a").shape == (2, 3) and embed.calls == 2
