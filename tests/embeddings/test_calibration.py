"""From cosine to the similarity of the documents."""

import numpy as np
import pytest

from bench.calibration import Measured
from companion_site.embeddings.bundled import E5_CALIBRATION, load_bundled
from companion_site.embeddings.calibration import Calibration, fit_knots, load_pairs, measure_pairs


@pytest.fixture(scope="module")
def measured():
    """The labelled pairs with the cosine that the bundled model gives each."""
    return Measured(load_pairs(), measure_pairs(load_pairs(), load_bundled().embed))


def test_the_constants_are_what_the_labelled_pairs_give(measured):
    """The numbers in the code are those that `python -m bench.calibration` fits."""
    raw, calibrated = fit_knots(measured.pairs, measured.cosines)
    assert raw == pytest.approx(E5_CALIBRATION.raw, abs=2e-3)  # the last digit is the processor's
    assert calibrated == E5_CALIBRATION.calibrated


def test_thresholds_mean_what_the_documents_say(measured):
    """Most paraphrases are at .8 or more, nearly all unrelated pairs below .4, in each language alike."""
    for language in ("en", "sv"):
        scores = {
            kind: E5_CALIBRATION.similarity(measured.of(kind, language))
            for kind in ("paraphrase", "unrelated")
        }
        assert np.mean(scores["paraphrase"] >= 0.8) >= 0.9
        assert np.mean(scores["unrelated"] < 0.45) >= 0.9


def test_similarity_never_falls_and_stays_within_0_and_1():
    """A higher cosine is never less similar, rounding errors included."""
    similarity = E5_CALIBRATION.similarity(np.linspace(-1.000001, 1.000001, 2001))
    assert (np.diff(similarity) >= 0).all()
    assert (similarity[0], similarity[-1]) == (0.0, 1.0)


def test_a_map_that_does_not_rise_is_refused(subtests):
    """A calibration must keep the order of similarities."""
    for raw, calibrated in [
        ((-1.0, 0.5, 0.5, 1.0), (0.0, 0.3, 0.6, 1.0)),
        ((-1.0, 0.5, 1.0), (0.0, 0.0, 1.0)),
        ((-1.0, 1.0), (0.0, 0.5, 1.0)),
        ((0.0, 1.0), (0.0, 1.0)),
    ]:
        with subtests.test(raw=raw, calibrated=calibrated), pytest.raises(ValueError, match=r"knots|as many"):
            Calibration(raw=raw, calibrated=calibrated, provenance="test")
