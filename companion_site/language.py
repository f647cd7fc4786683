"""What a text is made of in its language, English or Swedish: which one, its words and stems, and how rare they are.

Everything here runs offline from bundled data: lingua for the language, Snowball for the stems, wordfreq for the
frequencies. `sanitise` comes first; every other function, and every span, is about its result.
"""

import functools
import gzip
import re
import threading
import unicodedata
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import msgpack
import numpy as np
from lingua import Language as LinguaLanguage
from lingua import LanguageDetector, LanguageDetectorBuilder
from numpy.typing import NDArray
from Stemmer import Stemmer

Language = Literal["en", "sv"]
LANGUAGES: tuple[Language, ...] = ("en", "sv")

# Of a long text the beginning decides; lingua's cost grows with the text (0.1 ms for 200 characters).
DETECTION_CHARS = 300
# Below this many letters lingua guesses ("ok": Swedish .63, "typ": English); the person's own language is better.
DETECTION_LETTERS = 12
DETECTION_CONFIDENCE = 0.6
# The first words of a conversation are a greeting more often than anything else ("Hello!" is English .82, "Hejsan" Swedish .93).
OPENING_LETTERS, OPENING_CONFIDENCE = 5, 0.8
# Above this lingua is believed against a single small word; two of them are believed against lingua.
DETECTION_CERTAINTY = 0.9
DECIDING_VOTES = 2
# A word no list has weighs about as much as "explain".
UNKNOWN_BITS = 14.0
# Rarer words ("recursion": 21) are as likely a slip of the keyboard, and are believed as far as their company is common.
RARE_BITS = 18.0
LONGEST_WORD = 60

_ISO_CODES: dict[LinguaLanguage, Language] = {LinguaLanguage.ENGLISH: "en", LinguaLanguage.SWEDISH: "sv"}
_WORD = re.compile(r"[^\W_]+(?:['\u2019\-][^\W_]+)*")
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_DETECTOR_LOCK = threading.Lock()
_STEMMERS = threading.local()
_STEMMER_NAMES: dict[Language, str] = {"en": "english", "sv": "swedish"}

# Invisible in any text a person typed: C0 and C1 controls but tab and newline, soft hyphen, zero width space and
# no-break space, directional marks and overrides, invisible operators, interlinear marks and tag characters.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_NEWLINES = re.compile("\r\n|[\r\x85\u2028\u2029]")
# Joiners have honest uses inside emoji and in Arabic script, and hide text everywhere else.
_STRAY_JOINERS = re.compile(
    "(?<![\u0600-\u06ff])\u200c|(?<![\u0600-\u06ff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
)

_ENGLISH_STOP_WORDS = (
    "a an and are as at be been but by can could did do does for from had has have he her hers him his how i i'm "
    "i've i'd i'll if in into is it it's its just me my mine no nor not of on or our ours out please she so "
    "some than that the their theirs them then there these they this those to too us very was we were what when "
    "where which who whom why will with would you your yours about don't doesn't didn't isn't wasn't can't"
)
_SWEDISH_STOP_WORDS = (
    "alla allt att av blev bli blir de dem den denna deras dess det detta dig din dina ditt du där då efter ej "
    "eller en er era ert ett från för ha hade han hans har hen henne hennes honom hos hur här i icke inte ja jag "
    "kan kunde man med mellan men mig min mina mitt mot mycket nej ni nog nu när någon något några och om oss på "
    "samma sedan sig sin sina sitt ska skulle som så till under upp ut utan vad var vara varför vi vid vilken "
    "vill är även åt över gärna bara också"
)
_STOP_WORDS: dict[Language, frozenset[str]] = {
    "en": frozenset(_ENGLISH_STOP_WORDS.split()),
    "sv": frozenset(_SWEDISH_STOP_WORDS.split()),
}


def sanitise(text: str) -> str:
    """Return the text without what cannot be seen or stored, newlines as `\\n`.

    Halves of a surrogate pair are joined, lone ones dropped: PostgreSQL and the embedder take neither them nor NUL.
    """
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _STRAY_JOINERS.sub("", _INVISIBLE.sub("", _NEWLINES.sub("\n", paired)))


def as_sentence(text: str) -> str:
    """Return a statement as it is embedded: with the full stop that it lacks, by which alone its vector would lie elsewhere."""
    return f"{text}." if text[-1:].isalnum() else text


def as_language(name: str) -> Language:
    """Return the language of a row or an account; what is neither is read as English."""
    return "sv" if name == "sv" else "en"


@functools.cache
def _build_detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_ISO_CODES).build()


def detect_language(text: str, *, default: Language, is_opening: bool = False) -> Language:
    """Name the language of a text, or the default where the text is too short or too mixed to tell.

    Small words of one language decide where there are some, however short it is ("Who is the CEO?"): to lingua the letters of a name
    weigh as much ("My name is Oskar and I'm from Malmö" is Swedish to it).

    Args:
        is_opening: it opens a conversation, as a greeting does that is too short elsewhere.
    """
    sample = text[:DETECTION_CHARS]
    votes = _count_small_words(sample)
    if abs(votes) >= DECIDING_VOTES:
        return "en" if votes > 0 else "sv"
    letters = sum(map(str.isalpha, sample))
    if letters < (OPENING_LETTERS if is_opening else DETECTION_LETTERS):
        return default
    with _DETECTOR_LOCK:
        detector = _build_detector()
    best = detector.compute_language_confidence_values(sample)[0]
    if votes and best.value < DETECTION_CERTAINTY:
        return "en" if votes > 0 else "sv"
    least = DETECTION_CONFIDENCE if letters >= DETECTION_LETTERS else OPENING_CONFIDENCE
    return _ISO_CODES[best.language] if best.value >= least else default


def _count_small_words(sample: str) -> int:
    """Return how many more stop words only English has than only Swedish has."""
    found = words(sample)
    english, swedish = _STOP_WORDS["en"], _STOP_WORDS["sv"]
    return sum((word in english) - (word in swedish) for word in found)


def _normalise(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("\u2019", "'")


def fold_words(text: str) -> str:
    """Return the form in which texts that differ in case, width and spacing only are the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def stem_words(words: list[str], language: Language) -> list[str]:
    """Return each casefolded word's Snowball stem.

    A stemmer is not shared between threads, which Snowball forbids, and keeps no words: they may be somebody's own.
    """
    if not hasattr(_STEMMERS, language):
        setattr(_STEMMERS, language, Stemmer(_STEMMER_NAMES[language], 0))
    stems: list[str] = getattr(_STEMMERS, language).stemWords(words)
    return stems


def tokens(text: str, language: Language) -> list[str]:
    """Return the terms of a text for the lexical index, in order, with repeats.

    Each word gives its stem, and its surface too where that differs: a name reaches a memory in the other language,
    whose stemmer would have cut it elsewhere ("Lena" is "len" in Swedish). Numbers stay as they are; a capitalised
    Swedish genitive also gives the bare name ("Annas": "anna").
    """
    found: list[str] = []
    surfaces = [match.group()[:LONGEST_WORD] for match in WORD.finditer(_normalise(text))]
    telling = [surface for surface in surfaces if surface.casefold() not in _STOP_WORDS[language]]
    folded = [surface.casefold() for surface in telling]
    for surface, word, stem in zip(telling, folded, stem_words(folded, language), strict=True):
        terms = dict.fromkeys((stem, word))
        if language == "sv" and surface[0].isupper() and word.endswith("s") and len(word) > 3:
            terms[word[:-1]] = None
        found.extend(terms)
    return found


def words(text: str) -> list[str]:
    """Return the casefolded words of a text, in order, with repeats; numbers are not words."""
    found = (match.group().casefold() for match in _WORD.finditer(_normalise(text)))
    return [word for word in found if not word.isnumeric()]


def word_information(words: Sequence[str], language: Language) -> NDArray[np.float64]:
    """Return each word's self-information, -log2 of its frequency in the language.

    A word of the other language counts by its frequency there, a word in neither list `UNKNOWN_BITS`. Unknown and
    rare words are believed in full only where at least half of the words are neither: among plain words a Swedish
    compound is worth something, a row of gibberish is worth nothing.

    Args:
        words: n casefolded words.
        language: whose frequencies hold.

    Returns:
        (n,) float64, bits, at most 27 (the rarest words listed occur about once in 10^8).
    """
    frequencies = np.array([_look_up(word, language) for word in words], dtype=np.float64)
    listed = frequencies > 0.0
    bits = np.where(listed, -np.log2(np.where(listed, frequencies, 1.0)), UNKNOWN_BITS)
    common = listed & (bits <= RARE_BITS)
    belief = min(1.0, 2.0 * float(common.mean())) if len(words) else 0.0
    return np.where(common, bits, bits * belief)


def frequency(word: str, language: Language) -> float:
    """Return how often a casefolded word occurs by wordfreq's list, 0 if it is not there."""
    return _frequencies(language).get(word, 0.0)


@functools.cache
def _frequencies(language: Language) -> dict[str, float]:
    """Return the larger of wordfreq's lists, read as it lies there: the package itself takes longer to load than its list."""
    (place,) = find_spec("wordfreq").submodule_search_locations  # type: ignore[union-attr, misc]
    with gzip.open(Path(place) / "data" / f"large_{language}.msgpack.gz") as file:
        about, *bands = msgpack.load(file)
    if about != {"format": "cB", "version": 1}:
        raise ValueError(f"wordfreq keeps its list in another form: {about}")
    return {word: 10 ** (-band / 100) for band, words in enumerate(bands) for word in words}


def _look_up(word: str, language: Language) -> float:
    """Return a word's frequency in its language or else in the other, of a hyphenated one that of its rarest part."""
    other: Language = "sv" if language == "en" else "en"
    found = frequency(word, language) or frequency(word, other)
    return found or min(frequency(part, language) for part in word.split("-"))


_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^ {0,3}>.*$", re.MULTILINE)
_CODE_LINE = re.compile(
    r"^[ \t]{0,40}(?:(?:def|class|import|from|for|while|if|elif|else|return|function|const|let|var|public|private|print|#include"
    r"|select|insert|update|delete)\b[^\n]{0,200}(?:[:;{}]|[()=]{2}|--|\*)[^\n]{0,20}|[^\n]{0,200}[;{}])[ \t]{0,20}$",
    re.MULTILINE | re.IGNORECASE,
)
_INLINE = re.compile(
    r"`[^`\n]{1,300}`|(?:https?://|www\.)\S+|</?[a-z][^<>\n]{0,200}>[^<>\n]{0,40}</[a-z]{1,20}>",
    re.IGNORECASE,
)

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|januari|februari|mars|maj"
    "|juni|juli|augusti|oktober"
)
_WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mån|tis|ons|tors|fre|lör|sön)dag(?:en|s|ar|arna|skvällen|skvällarna)?"
_DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[:.]\d{2}"
    rf"|\d{{1,2}}(?::?[ae]|st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})(?:\s\d{{4}})?|(?:{_MONTHS})\s\d{{1,2}}(?:st|nd|rd|th)?"
    rf"|(?:in|since|until|by|last|next|i|sedan|till|från)\s(?:{_MONTHS})(?:\s\d{{4}})?|{_WEEKDAYS}|(?:19|20)\d\d"
    r"|yesterday|today|tomorrow|tonight|(?:last|this|next)\s(?:morning|afternoon|evening|night|week|weekend|month|year"
    r"|term|spring|summer|autumn|fall|winter)|over\sthe\sweekend|ago"
    r"|i\s?går|i\s?dag|i\s?morgon|i\smorse|i\snatt|i\s?kväll|i\shelgen|i\s(?:våras|somras|höstas|vintras|eftermiddags)"
    r"|förra\s(?:veckan|månaden|året|helgen|terminen|våren|sommaren|hösten)|nästa\s(?:vecka|månad|år|termin)"
    r"|till\s(?:våren|sommaren|hösten|vintern|jul)|(?:för|sedan)\s\w+\s\w+\ssedan|(?:klockan|kl\.?)\s\d{1,2})\b(?![.,]\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: What a full stop shortens wherever more follows; "etc." ends a sentence as often as not.
_SHORTENED = re.compile(
    r"(?:^|[\s(\"])(?:dr|mrs?|ms|prof|st|e\.g|i\.e|approx|vs|t\.ex|bl\.a|s\.k|f\.d|dvs|ca|nr|kl)$",
    re.IGNORECASE,
)
LONGEST_SHORTENED = 8
_SENTENCE_END = re.compile(r"[.!?:…\n]")
_POSSESSIVE = re.compile(r"['\u2019]s$")
_NOT_NAMES = re.compile(rf"I(?:'\w+)?|{_MONTHS}|{_WEEKDAYS}", re.IGNORECASE)


def hide_foreign(text: str) -> str:
    """Return the text, at the same length, with what is not the person's own prose blanked.

    Code blocks, lines of code and quoted lines become newlines, so that nothing is read across them; inline code,
    addresses and markup become spaces.
    """
    for pattern in (_FENCED, _QUOTED_LINE, _CODE_LINE):
        text = pattern.sub(lambda match: "\n" * len(match.group()), text)
    return _INLINE.sub(lambda match: " " * len(match.group()), text)


def find_dates(text: str) -> list[str]:
    """Return the dates and points in time a text names, in order."""
    return [match.group() for match in _DATE.finditer(text)]


def find_numbers(text: str) -> list[str]:
    """Return the numbers of a text that are not part of a date, in order."""
    return _NUMBER.findall(_DATE.sub(" ", text))


def find_names(text: str) -> list[str]:
    """Return the distinct names in a text, in order: capitalised words that no sentence begins with.

    Neighbouring ones are one name ("Animal Farm"). Months, weekdays and the English "I" are none, nor is anything in
    a text that shouts.
    """
    runs: dict[str, None] = {}
    run, run_end, previous_end = "", -1, 0
    for match in WORD.finditer(text):
        before, previous_end = previous_end, match.end()
        if not text[match.start()].isupper():
            continue
        stop = _SENTENCE_END.search(text, before, match.start())
        begins = before == 0 or (stop is not None and not is_shortened(text, stop.start()))
        word = _POSSESSIVE.sub("", match.group())
        if begins or not is_name_like(word) or is_shortened(text, match.end()):
            continue
        joined = match.start() == run_end + 1 and text[run_end] == " "
        if joined:
            runs.pop(run, None)
        run, run_end = (f"{run} {word}" if joined else word)[:LONGEST_WORD], match.end()
        runs[run] = None
    is_shouted = bool(runs) and sum(map(str.isupper, text)) > sum(map(str.islower, text))
    return [] if is_shouted else list(runs)


def is_shortened(text: str, stop: int) -> bool:
    """Tell whether the full stop at a place shortens the word before it ("Dr. Wekesa") and ends no sentence."""
    before = text[max(0, stop - LONGEST_SHORTENED) : stop]
    return text[stop : stop + 2] == ". " and _SHORTENED.search(before) is not None


def is_name_like(word: str) -> bool:
    """Return whether a word is written as a name: with a capital letter, and no month, weekday or English "I"."""
    return word[:1].isupper() and not _NOT_NAMES.fullmatch(word.replace("\u2019", "'"))
