"""How somebody spoke."""

import numpy as np
import pytest

from companion_site.voice.features import is_silent, measure_sound
from tests.cases import cases
from tests.voice.sounds import noise, silence, tone

pytestmark = pytest.mark.spec("L2")


def test_length_loudness_tempo_and_pauses_are_measured():
    """Two seconds of sound with a second between them, framed by silence: the frame is no pause."""
    samples = np.concatenate(
        [silence(1), tone(1, level_db=-20), silence(1), tone(1, level_db=-20), silence(2)]
    )
    sound = measure_sound(samples, text="one two three four five six")
    assert sound.duration_s == pytest.approx(6.0)
    assert sound.loudness_db == pytest.approx(-20.0, abs=0.5)
    assert sound.pause_share == pytest.approx(1 / 3, abs=0.02)
    assert sound.tempo_wps == pytest.approx(2.0, abs=0.1)


def test_the_room_is_not_the_voice():
    """A hum far under the voice is a pause, as it is to an ear."""
    hum = np.concatenate([tone(1), noise(1, level_db=-55), tone(1)])
    assert measure_sound(hum).pause_share == pytest.approx(1 / 3, abs=0.03)


@cases(
    ("samples", "silent"),
    [
        (silence(600), True),
        (noise(5, level_db=-75), True),
        (np.zeros(0, np.float32), True),
        (np.concatenate([silence(100), tone(0.5, level_db=-40), silence(19)]), False),
        (tone(1, level_db=-45), False),
    ],
)
def test_silence_is_told_from_a_quiet_voice(samples, silent):
    """What nobody could hear is silence; one short word in two minutes is not."""
    assert is_silent(samples) is silent
