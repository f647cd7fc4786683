"""Snowball stems of single words, many at a time."""

import threading

from Stemmer import Stemmer

from companion_site.language import Language

_STEMMERS = threading.local()
_NAMES: dict[Language, str] = {"en": "english", "sv": "swedish"}


def stem_words(words: list[str], language: Language) -> list[str]:
    """Return each folded word's stem.

    A stemmer is not shared between threads, which Snowball forbids, and keeps no words: they may be somebody's own.
    """
    if not hasattr(_STEMMERS, language):
        setattr(_STEMMERS, language, Stemmer(_NAMES[language], 0))
    stemmed: list[str] = getattr(_STEMMERS, language).stemWords(words)
    return stemmed
