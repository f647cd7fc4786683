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


DEFAULT_PARAMS = SnrParams()


def signal(
    information: NDArray[np.float64],
    *,
    names: int,
    numbers: int,
    dates: int,
    first_person: int,
    novelty: float,
    params: SnrParams = DEFAULT_PARAMS,
) -> float:
    """Return the signal-to-noise ratio of a message.

    Args:
        information: (n,) bits of the message's distinct words, at least 0.
        names: distinct names in the message.
        numbers: numbers that are not part of a date.
        dates: dates and points in time.
        first_person: statements in the first person.
        novelty: 0 (the space holds this already) to 1 (nothing like it).
        params: the constants.

    Returns:
        The ratio, at least 0; it grows with every argument.

    Raises:
        ValueError: novelty outside 0..1 or information below 0 or not finite.
    """
    if not 0.0 <= novelty <= 1.0:
        raise ValueError(f"novelty must lie in 0..1, not {novelty}")
    if not np.all(np.isfinite(information)) or np.any(information < 0.0):
        raise ValueError("information must be finite and not negative")
    counted = (
        (first_person, params.first_person_bits),
        (names, params.name_bits),
        (numbers, params.number_bits),
        (dates, params.date_bits),
    )
    bonus = sum(min(count, params.most_counted) * bits for count, bits in counted)
    return novelty * (float(np.sum(information)) + bonus)


def passes(snr: float, *, params: SnrParams = DEFAULT_PARAMS) -> int:
    """Return how many passes a message of this ratio gets: 0 (not stored), 1, 2 or 3."""
    return sum(snr >= bound for bound in params.bands)


def fit_band(snr: float, *, kept: bool, params: SnrParams = DEFAULT_PARAMS) -> float:
    """Return the ratio on the scale on which exactly what is kept lies at the first band or above, however short it is.

    Args:
        kept: whether anything of the message is worth storing, as the reader says (`memory.reading.statements`).
    """
    least = params.bands[0]
    return max(snr, least) if kept else min(snr, float(np.nextafter(least, 0.0)))


def novelty(
    similarities: NDArray[np.float64],
    *,
    differing: NDArray[np.bool_] | None = None,
    repeated: bool = False,
    params: SnrParams = DEFAULT_PARAMS,
) -> float:
    """Return how new a message is beside the most similar memory, 0..1.

    Args:
        similarities: (m,) calibrated similarity to the space's memories, 0..1; empty for an empty space.
        differing: (m,) the memories from which the message differs in value (`linking.differ_in_value`). A
            contradiction lies nearer than a paraphrase, so without this an update ("lives in Bergen", no longer
            Oslo) would pass for a repetition and be lost.
        repeated: the space holds these very words.
        params: the constants.

    Returns:
        1 for an empty space, 0 for a repeated message, else one minus the square of the highest similarity: a memory
        on the same topic (.7) leaves half, because likeness of topic is not sameness of fact.
    """
    if repeated:
        return 0.0
    if differing is not None:
        similarities = np.where(
            differing, np.minimum(similarities, params.differing_similarity), similarities
        )
    nearest = float(np.clip(np.max(similarities, initial=0.0), 0.0, 1.0))
    return 1.0 - nearest * nearest
