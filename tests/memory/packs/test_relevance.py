"""Whether a message is about a node of a mounted pack: told by how much liker it is than everyday sentences are."""

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from memory.packs.mounts import mount
from memory.packs.relevance import BEARING, Part, bears, find_material
from memory.packs.removal import remove_pack
from memory.packs.signatures import Voucher
from memory.packs.vectors import embed_some
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.packs.making import manifest, pack_file, take_in

pytestmark = pytest.mark.spec("K6")

NODES = [
    (
        "python.decorator",
        "How to write a decorator",
        "A decorator takes a function and returns another one around it.",
    ),
    (
        "python.decorator.wraps",
        "Decorators and wraps",
        "functools.wraps keeps the name of a decorated function.",
    ),
    ("python.decorator.class", "Decorator as a class", "A class with __call__ can decorate a function too."),
    (
        "python.decorator.order",
        "Several decorators",
        "The decorator nearest to the function is applied first.",
    ),
    ("python.csv", "Read a CSV file", "csv.DictReader gives each row of a file as a dictionary."),
]


@pytest.fixture
def ada(db):
    return make_student("ada").person


@pytest.fixture
def pack(ada):
    """A pack of a few nodes, embedded by this site's model and mounted."""
    nodes = [
        {"id": path, "type": "concept", "label": label, "payload": {"definition": told}}
        for path, label, told in NODES
    ]
    about = manifest(embedding_model=None, dimension=None)
    taken = take_in(pack_file(nodes, about=about))
    embed_some(taken.space_id, now=NOW, embedder=get_embedder())
    mount(open_space(ada), taken.space_id, person=ada, now=NOW)
    return taken


def find(person, text, *mounts, language="en"):
    embedder = get_embedder()
    (vector,) = embedder.embed([text])
    return find_material(person.space_id, mounts, text, vector=vector, language=language, embedder=embedder)


@cases(
    ("language", "text", "path"),
    [
        ("en", "How do I write a decorator in Python?", "python.decorator"),
        ("sv", "Hur skriver jag en dekorator som heter likadant som funktionen?", "python.decorator"),
        ("en", "I want to read a CSV file with Python", "python.csv"),
        ("en", "My best friend is moving to Malmö and I am sad", None),
        ("sv", "Vi åt en god lunch hos mormor", None),
    ],
)
def test_a_question_finds_the_nodes_that_it_is_about(ada, pack, language, text, path):
    """In either language, best first, no more than so many, with what a prompt and a page need; small talk finds none."""
    found = find(ada, text, pack.space_id, language=language)
    if path is None:
        assert found == []
        return
    assert found[0].path.startswith(path) and 1 <= len(found) <= BEARING.most
    assert [one.distinctness for one in found] == sorted((one.distinctness for one in found), reverse=True)
    first = found[0]
    assert (first.pack, first.pack_name, first.voucher) == (pack.space_id, "Python core", Voucher.NOBODY)
    assert first.parts == [Part("definition", {path: told for path, _, told in NODES}[first.path])]
    assert 0 <= first.similarity <= 1 and np.isclose(np.linalg.norm(first.vector), 1, atol=1e-3)


def test_a_pack_that_is_gone_or_none_of_theirs_holds_nothing(ada, pack):
    """Whoever asks, for whatever ids. Words in common help what is nearly near enough."""
    assert bears(BEARING.surely, 0.0) and not bears(BEARING.surely - 0.1, 0.0)
    assert bears(BEARING.with_words, BEARING.words) and not bears(BEARING.with_words - 0.1, 99.0)
    text = "How do I write a decorator in Python?"
    assert find(ada, text) == []
    assert find(ada, text, ada.space_id) == []
    remove_pack(pack.space_id, actor=None, now=NOW)
    assert find(ada, text, pack.space_id) == []
