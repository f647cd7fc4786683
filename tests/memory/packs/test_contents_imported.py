"""The packs of our own, taken in as any other: what students and small companies ask is found in them."""

import pytest

from memory.packs.contents import load_nodes
from memory.packs.manifest import describe
from memory.packs.search import defaults, search_packs
from memory.packs.sources import SHIPPED, read_source
from tests.factories import NOW
from tests.memory.packs.making import DIMENSION, MODEL, pack_file, take_in, vector_of

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]

ASKED = {
    "python-idioms": {
        "Why does my function keep the list from the last call as its default value?": "python.functions.mutable-default",
        "How do I read a CSV file with commas inside the fields?": "python.files.csv",
        "when is it the same object and when the same value": "python.mistakes.is-or-equals",
        "parametrize one test with many cases": "python.testing.parametrize",
        "sort by points and then by name": "python.sorting.several-keys",
    },
    "bokforing-litet-bolag": {
        "Hur bokför jag lunch med en kund?": "bokforing.representation.lunch",
        "Hur länge ska verifikationer sparas i arkivet?": "bokforing.arkiv",
        "avskrivning på maskin under fem år": "bokforing.anlaggning.avskrivning",
        "tjänst köpt från Irland utan moms, omvänd skattskyldighet": "bokforing.moms.omvand-eu",
        "hur stora är arbetsgivaravgifterna": "bokforing.lon.avgifter",
    },
}


@pytest.fixture(params=sorted(ASKED))
def taken_in(request):
    manifest, nodes = read_source(SHIPPED / request.param)
    described = describe(**manifest, now=NOW, embedding_model=MODEL, dimension=DIMENSION)
    embedded = [
        {**node, "embeddings": {"model": MODEL, "vector": vector_of(node["label"]).tolist()}}
        for node in nodes
    ]
    return request.param, take_in(pack_file(embedded, about=described)), nodes


def test_a_pack_of_our_own_is_taken_in_found_in_and_read(taken_in):
    """Whole, with its links; questions in everyday words lead to the node that answers; defaults stand for the domain."""
    name, pack, nodes = taken_in
    assert (pack.state, pack.node_count) == ("ready", len(nodes))
    assert pack.edge_count == sum(len(node["links"]) for node in nodes)
    for question, wanted in ASKED[name].items():
        hits = search_packs([pack.space_id], vector=None, words=question, k=3)
        assert wanted in [hit.path for hit in hits], (question, [hit.path for hit in hits])
    standing = load_nodes(pack.space_id, defaults(pack.space_id, pack.domain_tags[:1]))
    assert [node["id"] for node in standing] == [node["id"] for node in nodes if node["meta"].get("default")]
    last = load_nodes(pack.space_id, [len(nodes) - 1])[0]
    assert {part: last[part] for part in ("id", "payload", "tags")} == {
        part: nodes[-1][part] for part in ("id", "payload", "tags")
    }
