"""What brings a ledger entry up again: the names in what was said, and its rarest words."""

import numpy as np

from companion_site.language import Language, find_names, tokens, word_information, words

#: Words commoner than one in four thousand come up everywhere ("school" has 11.7 bits, "homework" 16).
RARE_BITS = 12.0
MOST_TRIGGERS = 6
MOST_ENTITIES = 8
LONGEST = 60


def derive_triggers(text: str, *, language: Language) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words and the names that bring up what `text` says; at least one of either, if it has a word.

    The rarest words come first; a word that is part of a name is left to the name.
    """
    entities = tuple(name for name in find_names(text) if len(name) <= LONGEST)[:MOST_ENTITIES]
    named = {word for name in entities for word in words(name)}
    found = [
        word
        for word in dict.fromkeys(words(text))
        if word not in named and len(word) <= LONGEST and tokens(word, language)
    ]
    if not found:
        return tuple(word for word in words(text)[:1] if not entities and len(word) <= LONGEST), entities
    bits = word_information(found, language)
    ranked = [int(place) for place in np.argsort(-bits, kind="stable")]
    rare = [place for place in ranked if bits[place] >= RARE_BITS] or ([] if entities else ranked[:1])
    return tuple(found[place] for place in rare[:MOST_TRIGGERS]), entities
