"""The signal-to-noise ratio and its bands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.snr import SNR, novelty, passes, signal

COUNTS = {"names": 0, "numbers": 0, "dates": 0, "first_person": 0}


def bits(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@pytest.mark.spec("G3")
def test_bands_are_those_of_the_design(subtests):
    """Below 100 nothing, then one, two and three passes from 100, 400 and 800."""
    for snr, expected in [(0, 0), (99.9, 0), (100, 1), (399.9, 1), (400, 2), (799.9, 2), (800, 3), (1e6, 3)]:
        with subtests.test(snr=snr, expected=expected):
            assert passes(snr) == expected


@pytest.mark.spec("G3")
def test_signal_is_summed_information_plus_bonuses_times_novelty():
    """The ratio is the definition, to the digit."""
    bonus = 2 * SNR.name_bits + 3 * SNR.number_bits + SNR.date_bits + 2 * SNR.first_person_bits
    found = signal(bits(10.0, 5.5), names=2, numbers=3, dates=1, first_person=2, novelty=0.5)
    assert found == pytest.approx(0.5 * (15.5 + bonus))


def test_a_list_of_figures_is_paid_for_only_so_often():
    """Beyond `most_counted` more numbers add nothing."""
    many, more = (signal(bits(), **{**COUNTS, "numbers": n}, novelty=1.0) for n in (12, 5000))
    assert many == more == 12 * SNR.number_bits


@given(
    st.lists(st.floats(0, 30), max_size=30),
    st.fixed_dictionaries({name: st.integers(0, 30) for name in COUNTS}),
    st.floats(0, 1),
    st.sampled_from(sorted(COUNTS)),
)
def test_signal_never_falls_as_a_message_says_more(information, counts, share, kind):
    """One word, or one name, number, date or first-person statement more never lowers the ratio."""
    found = signal(bits(*information), **counts, novelty=share)
    more = signal(bits(*information, 5.0), **{**counts, kind: counts[kind] + 1}, novelty=share)
    assert more >= found >= 0.0
    assert passes(more) >= passes(found)


@pytest.mark.spec("G3")
def test_novelty_falls_with_the_nearest_memory():
    """Nothing like it is all new; the same text is known and leaves nothing; a like topic leaves half."""
    assert novelty(0.0) == 1.0
    assert passes(signal(bits(*[15.0] * 200), **COUNTS, novelty=novelty(1.0))) == 0
    assert novelty(0.7) == pytest.approx(0.51)
