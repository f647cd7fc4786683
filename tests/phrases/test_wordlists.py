"""How common a word is."""

from companion_site.language import frequency


def test_the_lists_are_those_that_the_package_gives():
    """They are read past it, at a fraction of its time: at its import it goes through all modules that there are."""
    from wordfreq import get_frequency_dict

    for language in ("en", "sv"):
        listed = get_frequency_dict(language, "best")
        assert len(listed) > 30_000
        assert {word: frequency(word, language) for word in listed} == listed
        assert frequency("qvorxilbangth", language) == 0.0
