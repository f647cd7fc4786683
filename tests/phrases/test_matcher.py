"""Finding phrases: where words end, how they are inflected, what is a compound, what a disguise."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion_site.language import frequency
from companion_site.phrases import Phrase, PhraseMatcher
from tests.cases import cases

pytestmark = pytest.mark.spec("G2")


def build(*texts, strict=False):
    return PhraseMatcher([Phrase(text, text) for text in texts], strict=strict)


def find(phrase, text, *, strict=False):
    """Return the pieces of the text in which the phrase was found."""
    return [text[found.start : found.end] for found in build(phrase, strict=strict).find(text)]


def test_a_phrase_is_found_where_it_stands_as_a_word(subtests):
    """Letters and figures make words; everything else, emoji too, is a boundary. Capitals and accents but å ä ö are alike."""
    for phrase, text, said in [
        ("cat", "The cat sat.", ["cat"]),
        ("cat", "category, scatter, concatenate", []),
        ("cat", "cat,cat;(cat)", ["cat", "cat", "cat"]),
        ("cat", "🐈cat🐈", ["cat"]),
        ("cat", "CAT", ["CAT"]),
        ("kött", "Kött och kotte", ["Kött"]),
        ("mål", "mala mål", ["mål"]),
        ("pappa", "Pappas bil", ["Pappas"]),
        ("café", "cafe and CAFÉ", ["cafe", "CAFÉ"]),
        ("hål", "ha\u030al", ["ha\u030al"]),
        ("ﬁnance", "finance", ["finance"]),
    ]:
        with subtests.test(phrase=phrase, text=text):
            assert find(phrase, text) == said


@cases(
    ("phrase", "text"),
    [
        ("promise", "promises promised promising promise's"),
        ("energy", "energies"),
        ("wolf", "wolves wolf\u2019s"),
        ("hypothesis", "hypotheses"),
        ("box", "boxes"),
        ("kraft", "kraften krafter krafterna krafts kraftens krafternas"),
        ("flicka", "flickan flickor flickorna flickas"),
        ("pojke", "pojken pojkar pojkarna"),
        ("nyckel", "nyckeln nycklar nycklarna"),
        ("museum", "museet museer museerna"),
        ("hota", "hotar hotade hotat"),
        ("program", "programmet program programmen"),
        ("svart hål", "svarta_hålet svarta_hål svarta_hålen"),
        ("kinetisk energi", "kinetiska_energin"),
        ("theory of mind", "theories_of_mind"),
    ],
)
def test_a_phrase_is_found_in_its_forms(phrase, text):
    """Plurals, genitives, definite forms and plain verb endings of both languages count, inside a phrase too."""
    for form in text.replace("_", "\0").split():
        form = form.replace("\0", " ")
        assert find(phrase, form), form


def test_a_word_that_only_looks_like_a_form_is_none(subtests):
    """The word lists tell a plural from another word, where Snowball's stems would not."""
    for phrase, text in [
        ("ring", "Jag ringer"),
        ("mass", "massor"),
        ("universe", "university"),
        ("organ", "organisation"),
        ("bas", "based"),
        ("mål", "målar"),
        ("policy", "police"),
        ("plane", "planet"),
        ("cell", "cellar"),
    ]:
        with subtests.test(phrase=phrase, text=text):
            assert find(phrase, text) == []


def test_a_phrase_is_found_inside_a_compound(subtests):
    """What is left of the word must be words; long uncommon names count anywhere."""
    for phrase, text in [
        ("kraft", "dragningskraft"),
        ("kraft", "kraftfältet"),
        ("cell", "stamceller"),
        ("atom", "atomkärnans"),
        ("ring", "nyckelring"),
        ("fotosyntes", "fotosyntesprocessen"),
        ("fotosyntes", "antifotosyntes"),
        ("hole", "wormhole"),
        ("ring", "earrings"),
    ]:
        with subtests.test(phrase=phrase, text=text):
            (said,) = find(phrase, text)
            assert said.startswith(phrase)


def test_a_word_that_does_not_split_is_no_compound(subtests):
    """Prefixes, suffixes and verbs' endings are no words to compound with."""
    for phrase, text in [
        (
            "ring",
            "spring string during herring caring värdering lagring markering förändring parkeringsplats",
        ),
        ("set", "settle settlement asset reset offset"),
        ("cell", "excellent cello chancellor"),
        ("formation", "information transformation"),
        ("relation", "correlation"),
        ("mutation", "permutation"),
        ("gene", "generally generation"),
        ("kraft", "kraftigt"),
        ("ion", "question station"),
        ("is", "polis gratis island"),
    ]:
        with subtests.test(phrase=phrase, text=text):
            assert find(phrase, text, strict=True) == []


def test_signs_mean_themselves(subtests):
    """Nothing in a phrase is a pattern: it is found as it is written and not as what it might stand for."""
    for phrase in ["a.*b", "(x|y)+", "C++", "[abc]", "\\d{3}", "R&B", "$100", "what?", "^.$", "e=mc²"]:
        with subtests.test(case=phrase):
            assert find(phrase, f"x {phrase} y") != []
            assert find(phrase, "xaab 123 q z RxB C what's") == ([] if phrase != "what?" else ["what"])


def test_an_emoji_is_a_phrase_too(subtests):
    """Alone and with words, next to letters, with or without its variation selector."""
    for phrase in ["🐍", "❤️", "👩‍🚀", "🇸🇪", "🎂 kalas"]:
        with subtests.test(case=phrase):
            assert find(phrase, f"hej{phrase.replace('️', '')}hej".replace("kalashej", "kalas hej")) != []
            assert find(phrase, "hej 😀 hej kalas") == []


def test_an_endless_phrase_is_looked_for_by_its_beginning():
    """Of 100,000 characters the first 300 letters count: who has said those has said it."""
    phrase = "kalas " * 20_000
    assert find(phrase, "kalas " * 100) != []
    assert find(phrase, "kalas " * 20) == []


def test_exact_says_whether_these_are_the_very_words(subtests):
    """Neither inflected nor inside a longer word nor disguised; capitals and width do not count."""
    for text, exact in [
        ("Kraft", True),
        ("kraften", False),
        ("dragningskraft", False),
        ("kr4ft", False),
        ("\uff4braft", True),
    ]:
        with subtests.test(text=text, exact=exact):
            (found,) = build("kraft", strict=True).find(text)
            assert found.exact is exact


def test_disguises_count_in_the_strict_search_only(subtests):
    """A person's own words are read as they stand; what a model says is read as it could be meant."""
    for text in [
        "kr4ft",
        "k r a f t",
        "кraft",
        "k-r-a-f-t",
        "k*raft*",
        "&#107;raft",
        "k<b>raft</b>",
        "%6Braft",
    ]:
        with subtests.test(case=text):
            assert find("kraft", text, strict=True) != []
            assert find("kraft", text) == []


def test_another_word_is_no_disguise(subtests):
    """A word as it is written is that word; figures make a number; a sentence ends at its stop."""
    for phrase, text in [
        ("mål", "mal"),
        ("lath", "the 14th"),
        ("sos", "the 50s"),
        ("area", "are a"),
        ("ion", "i on"),
        ("black hole", "black. Hole"),
    ]:
        with subtests.test(phrase=phrase, text=text):
            assert find(phrase, text, strict=True) == []


def test_a_phrase_s_own_full_stop_divides_nothing():
    """A trigger of two sentences is found word for word, and not where they stand apart."""
    assert build("Help me! Now").find("I said: help me! Now, please") != []
    assert build("Help me").find("Help. Me too") == []


WORDS = ["kraft", "svart hål", "cell", "C++", "🐍", "photosynthesis"]
PIECES = [*WORDS, " ", "", "-", "\n", "x", "en", "4", "*", "&shy;", "<b>", "\u200b", "\ud800", "\0", "å", "."]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_is_found_is_a_span_of_the_text_and_strict_finds_no_less(text):
    """Spans lie in the text and are not empty; every plain find is within a strict one of the same key."""
    plain, strict = build(*WORDS).find(text), build(*WORDS, strict=True).find(text)
    assert all(0 <= found.start < found.end <= len(text) for found in plain + strict)
    for found in plain:
        assert any(
            other.key == found.key and other.start < found.end and found.start < other.end for other in strict
        )


@given(st.text(max_size=60), st.text(max_size=60))
@example("0!\r0", "")
def test_a_phrase_between_spaces_is_always_found(phrase, text):
    """Whatever it is made of, a phrase that can be seen is found where it stands alone."""
    spoken = f"{text}\n.\n{phrase}\n.\n{text}"
    if build(phrase).find(phrase):
        assert build(phrase).find(spoken) != []
    elif any(char.isascii() and char.isalnum() for char in phrase):
        pytest.fail(repr(phrase))


def test_the_lists_are_those_that_the_package_gives():
    """They are read past it, at a fraction of its time: at its import it goes through all modules that there are."""
    from wordfreq import get_frequency_dict

    for language in ("en", "sv"):
        listed = get_frequency_dict(language, "best")
        assert len(listed) > 30_000
        assert {word: frequency(word, language) for word in listed} == listed
        assert frequency("qvorxilbangth", language) == 0.0
