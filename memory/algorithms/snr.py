"""Signal-to-noise ratio of a message: how much of it is worth remembering.

The ratio is information content. Each distinct word counts its self-information in bits; names, numbers, dates and
first-person statements add fixed bonuses; the whole is scaled by how new the message is to the space it came into.
"Hello" holds some fourteen bits and a fact about oneself about a hundred, so the bands of the design
(100, 400, 800) are read in bits, with no further scale.

Source: docs/algorithms/storing.md; Shannon, "A Mathematical Theory of Communication" (1948), section 6.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SnrParams:
    """Constants of the signal; the evidence is what `python -m bench.snr` prints; docs/algorithms/storing.md.

    Attributes:
        bands: lower bounds of one, two and three passes (the design's own figures).
        first_person_bits: bonus for each first-person statement.
        name_bits: bonus for each distinct name.
        number_bits: bonus for each number that is not part of a date.
        date_bits: bonus for each date or point in time.
        most_counted: how many of each kind a message is paid for, so that no list of figures becomes a revelation.
        differing_similarity: most that a memory of another value can take from novelty (a quarter).
    """

    bands: tuple[float, float, float] = (100.0, 400.0, 800.0)
    first_person_bits: float = 70.0
    name_bits: float = 15.0
    number_bits: float = 10.0
    date_bits: float = 20.0
    most_counted: int = 12
    differing_similarity: float = 0.5


SNR = SnrParams()


def signal(
    information: NDArray[np.float64],
    *,
    names: int,
    numbers: int,
    dates: int,
    first_person: int,
    novelty: float,
) -> float:
    """Return the signal-to-noise ratio of a message.

    Args:
        information: (n,) bits of the message's distinct words, at least 0.
        names: distinct names in the message.
        numbers: numbers that are not part of a date.
        dates: dates and points in time.
        first_person: statements in the first person.
        novelty: 0 (the space holds this already) to 1 (nothing like it).

    Returns:
        The ratio, at least 0; it grows with every argument.
    """
    counted = (
        (first_person, SNR.first_person_bits),
        (names, SNR.name_bits),
        (numbers, SNR.number_bits),
        (dates, SNR.date_bits),
    )
    bonus = sum(min(count, SNR.most_counted) * bits for count, bits in counted)
    return novelty * (float(np.sum(information)) + bonus)


def passes(snr: float) -> int:
    """Return how many passes a message of this ratio gets: 0 (not stored), 1, 2 or 3."""
    return sum(snr >= bound for bound in SNR.bands)


def fit_band(snr: float, *, kept: bool) -> float:
    """Return the ratio on the scale on which exactly what is kept lies at the first band or above, however short it is.

    Args:
        kept: whether anything of the message is worth storing, as the reader says (`memory.reading.statements`).
    """
    least = SNR.bands[0]
    return max(snr, least) if kept else min(snr, float(np.nextafter(least, 0.0)))


def novelty(nearest: float) -> float:
    """Return how new a message is, 0..1: one minus the square of the calibrated similarity of the nearest memory.

    A memory on the same topic (.7) leaves half, because likeness of topic is not sameness of fact.
    """
    return 1.0 - nearest * nearest
