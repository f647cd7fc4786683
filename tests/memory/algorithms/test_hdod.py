"""The dictionary of dictionaries: nested by path, in order of score, never over the budget, always the same bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.llm.tokens import estimate_tokens
from memory.algorithms.hdod import ONE_EXAMPLE, NodeText, cut_text, materialise, render, shorten
from tests.cases import cases

pytestmark = pytest.mark.spec("K3")

SEGMENT = st.sampled_from(["skill", "python", "lists", "åäö", "a", "label", "examples"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=3,
)


@st.composite
def wire_nodes(draw) -> list[dict]:
    """Draw nodes best first: paths that lie within each other, details long and short, payloads of any JSON."""
    paths = draw(st.lists(st.lists(SEGMENT, min_size=1, max_size=4).map(".".join), max_size=6, unique=True))
    return [
        draw(st.builds(make_node, st.just(path), words=st.integers(0, 700), extra=JSON)) for path in paths
    ]


def make_node(path: str, *, words: int = 0, extra=None, **payload) -> dict:
    """Return a wire node; `words` of details."""
    told = {"definition": f"What {path} is.", **payload}
    told |= {"details": "Some word. " * words} if words else {}
    told |= {"more": extra} if extra is not None else {}
    return {"id": path, "type": "skill", "label": path.title(), "payload": told}


def write(nodes, budget: int = 10**9):
    return materialise(nodes, budget_tokens=budget, count=estimate_tokens)


def find(tree: dict, path: str) -> dict:
    for segment in path.split("."):
        tree = tree[segment]
    return tree


@given(wire_nodes())
def test_with_room_enough_every_node_stands_whole_at_its_path(nodes):
    """Nothing is lost, whatever lies within what, and a segment named like a field is no field; the best branch is first."""
    tree, kept = write(nodes)
    assert list(tree) == list(dict.fromkeys(node["id"].split(".")[0] for node in nodes))
    assert kept == [node["id"] for node in nodes]
    for node in nodes:
        told = find(tree, node["id"])
        assert (told["_type"], told["_label"]) == ("skill", node["label"])
        assert told["_payload"] == node["payload"]


@given(
    wire_nodes(),
    st.integers(-5, 3_000),
    st.sampled_from([estimate_tokens, len, lambda text: 7 * len(text) + 3]),
)
def test_the_budget_is_never_exceeded(nodes, budget, count):
    """By whatever tokens are counted; kept paths are those that stand in the tree, in the order given."""
    tree, kept = materialise(nodes, budget_tokens=budget, count=count)
    assert not tree or count(render(tree)) <= budget
    assert bool(tree) == bool(kept)
    assert kept == [node["id"] for node in nodes if node["id"] in set(kept)]
    assert all("_label" in find(tree, path) for path in kept)


@given(wire_nodes(), st.integers(0, 9_000))
def test_what_goes_is_what_the_rule_says(nodes, budget):
    """The first step at which all fit; at the last one each node, the best first, that fits beside those before it."""

    def fits(step: int, kept: list[dict]):
        left = [{**node, "payload": shorten(node["payload"], step)} for node in kept]
        tree, paths = write(left)
        return (tree, paths) if not left or len(render(tree)) <= budget else None

    found = next(filter(None, (fits(step, nodes) for step in range(ONE_EXAMPLE + 1))), None)
    if found is None:
        kept: list[dict] = []
        for node in nodes:
            kept += [node] if fits(ONE_EXAMPLE, [*kept, node]) else []
        found = fits(ONE_EXAMPLE, kept)
    assert materialise(nodes, budget_tokens=budget, count=len) == found


@cases("budget", [1_000, 4_000, 20_000, 60_000, 200_000])
def test_what_fits_is_found_with_few_looks(budget):
    """The whole tree is counted a few times, however many nodes and steps there are to choose from."""
    nodes = [make_node(f"a.b{at % 7}.n{at}", words=at % 90) for at in range(300)]
    looks = []

    def count(text: str) -> int:
        looks.append(text[:1] == "{")
        return len(text)

    tree, kept = materialise(nodes, budget_tokens=budget, count=count)
    assert tree and kept and sum(looks) <= 8


@given(wire_nodes(), st.integers(0, 2_000), st.randoms())
def test_the_same_nodes_are_the_same_bytes(nodes, budget, random):
    """However the keys of their payloads happen to stand."""

    def shuffle(value):
        if isinstance(value, dict):
            items = [(key, shuffle(inner)) for key, inner in value.items()]
            random.shuffle(items)
            return dict(items)
        return [shuffle(inner) for inner in value] if isinstance(value, list) else value

    one, other = (write(given, budget) for given in (nodes, [shuffle(node) for node in nodes]))
    assert render(one[0]).encode() == render(other[0]).encode() and one[1] == other[1]


@given(wire_nodes(), st.lists(st.integers(0, 3_000), min_size=1, max_size=4))
def test_what_is_kept_of_nodes_tells_the_same(nodes, budgets):
    """Their texts made once serve every budget, and are never longer than they say."""
    texts = {node["id"]: NodeText(node) for node in nodes}
    for budget in budgets:
        found = materialise(nodes, budget_tokens=budget, count=estimate_tokens, texts=texts)
        assert (render(found[0]), found[1]) == (render(write(nodes, budget)[0]), write(nodes, budget)[1])
    for text in texts.values():
        assert sum(len(text.tell(step)) for step in range(ONE_EXAMPLE + 1)) <= text.most_chars


def test_long_details_go_first_then_examples_but_the_first():
    """Short details stay whole while a long one is cut and nothing else is touched; examples go where details are gone and it is still
    too much, before any node does."""
    nodes = [make_node("a.long", words=600, examples=["one", "two"]), make_node("a.short", words=10)]
    tree, kept = write(nodes, 400)
    long, short = find(tree, "a.long")["_payload"], find(tree, "a.short")["_payload"]
    assert kept == ["a.long", "a.short"] and short["details"] == "Some word. " * 10
    assert (
        len(long["details"]) <= 500 and long["details"].endswith("…") and long["examples"] == ["one", "two"]
    )
    nodes = [make_node(f"a.n{at}", words=9, examples=["first one", "second " * 30]) for at in range(3)]
    tree, kept = write(nodes, 200)
    assert len(kept) == 3
    for path in kept:
        told = find(tree, path)["_payload"]
        assert told["examples"] == ["first one"] and "details" not in told


def test_a_path_that_comes_twice_counts_where_it_came_first():
    """The better one is told, with where it came from; what a node does not have is left out."""
    best, worse = {"id": "a.b", "meta": {"source": "pack:python"}}, make_node("a.b", code="worse")
    tree, kept = write([best, {"id": "a.c"}, worse])
    assert kept == ["a.b", "a.c"] and tree == {"a": {"b": {"_source": "pack:python"}, "c": {}}}


def test_what_is_no_path_is_refused(subtests):
    """A segment could not be told from a field, or the nesting would have no end."""
    for path in ["", ".", "a..b", "a.", "a._type", ".".join("a" * 65)]:
        with subtests.test(case=path), pytest.raises(ValueError, match="no path"):
            write([make_node(path)])


def test_details_that_are_no_text_lose_what_does_not_fit(subtests):
    """Of a list the first entries stay, anything else stays whole or goes."""
    for details, expected in [
        (["short", "also short", "x" * 200], ["short", "also short"]),
        ({"key": "x" * 200}, None),
        ({"key": "short"}, {"key": "short"}),
        (7, 7),
    ]:
        with subtests.test(details=details, expected=expected):
            nodes = [make_node("a.b", details=details), make_node("a.c", words=600)]
            tree, _ = write(nodes, 170)
            assert find(tree, "a.b")["_payload"].get("details") == expected


@given(st.text(max_size=80), st.integers(0, 60))
def test_a_cut_text_is_short_enough_and_begins_as_it_did(text, most):
    """A text that fits is left alone; one that does not says that it was cut."""
    cut = cut_text(text, most)
    assert len(cut) <= most or cut == text
    assert cut == text if len(text) <= most else (cut == "" or (text.startswith(cut[:-1]) and cut[-1] == "…"))


def test_a_text_is_cut_at_the_end_of_something(subtests):
    """Of a line, of a sentence, or else of a word."""
    for text, most, expected in [
        ("One two. Three four five.", 16, "One two.…"),
        ("One two three four five", 12, "One two…"),
        ("- one\n- two\n- three", 14, "- one\n- two…"),
        ("Onetwothreefour", 8, "Onetwot…"),
        ("One two", 1, ""),
    ]:
        with subtests.test(text=text, most=most):
            assert cut_text(text, most) == expected
