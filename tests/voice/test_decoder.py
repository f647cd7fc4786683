"""From bytes to samples, with bounds, in memory."""

import numpy as np
import pytest

from companion_site.voice import decoder
from companion_site.voice.decoder import read_recording
from companion_site.voice.features import measure_sound
from tests.cases import cases
from tests.voice.sounds import encoded, has_listening, refused, silence, tone, wav

pytestmark = [pytest.mark.spec("L1"), pytest.mark.usefixtures("no_disk")]
LIMITS = {"most_bytes": 8_000_000, "most_s": 120.0}
FORMS = {
    "Chrome and Firefox": {"container": "webm", "codec": "libopus"},
    "Firefox": {"container": "ogg", "codec": "libopus"},
    "Safari": {"container": "mp4", "codec": "aac", "movflags": "frag_keyframe+empty_moov"},
    "a file of MP3": {"container": "mp3", "codec": "libmp3lame", "rate": 44_100},
}


@has_listening
@cases("form", FORMS.values())
def test_what_browsers_record_is_read_from_memory(form):
    """The samples are as long and as loud as what was recorded, whatever the container."""
    recording = read_recording(encoded(tone(3, level_db=-18), **form), **LIMITS)
    sound = measure_sound(recording.samples)
    assert sound.duration_s == pytest.approx(3.0, abs=0.1)
    assert sound.loudness_db == pytest.approx(-18, abs=1.5)


@pytest.mark.parametrize(
    ("rate", "channels"), [(16_000, 1), (48_000, 2), (8_000, 1), (44_100, 1), (16_000, 8), (16_000, 64)]
)
@pytest.mark.parametrize("extra", [pytest.param(True, marks=has_listening), False])
def test_a_plain_wav_needs_no_extra(monkeypatch, rate, channels, extra):
    """The standard library reads it alike, at any rate; channels beyond what anybody records are averaged like two."""
    monkeypatch.setattr(decoder, "can_decode", lambda: extra)
    moments = np.arange(2 * rate) / rate
    samples = 0.1 * np.sin(2 * np.pi * 220 * moments)
    recording = read_recording(wav(samples, rate=rate, channels=channels), **LIMITS)
    assert recording.samples.dtype == np.float32
    sound = measure_sound(recording.samples)
    assert sound.duration_s == pytest.approx(2.0, abs=0.02)
    assert sound.loudness_db == pytest.approx(-23, abs=0.5)


def test_without_the_extra_other_recordings_are_passed_on(monkeypatch):
    """They are known by their first bytes and stay as they came, for a provider that reads them."""
    monkeypatch.setattr(decoder, "can_decode", lambda: False)
    data = b"\x1a\x45\xdf\xa3" + b"webm"
    recording = read_recording(data, **LIMITS)
    assert (recording.data, recording.container.media_type, recording.samples) == (data, "audio/webm", None)


@has_listening
@cases("form", ["Chrome and Firefox", "Firefox", "a file of MP3"])
def test_a_recording_that_was_cut_off_is_read_as_far_as_it_goes(form):
    """Half of the bytes are about half of the sound: so a recording under way can be listened to."""
    whole = encoded(tone(4), **FORMS[form])
    samples = read_recording(whole[: len(whole) // 2], **LIMITS).samples
    assert 1.0 < len(samples) / 16_000 < 3.2


@has_listening
def test_a_recording_is_read_no_further_than_its_bound():
    """Ten minutes of silence are small in bytes, and too long all the same."""
    data = encoded(silence(600), **FORMS["Chrome and Firefox"])
    assert len(data) < 1_000_000
    with refused("too-long"):
        read_recording(data, **LIMITS)


def test_ten_minutes_of_wav_are_too_long(monkeypatch):
    """The same without the extra."""
    monkeypatch.setattr(decoder, "can_decode", lambda: False)
    with refused("too-long"):
        read_recording(wav(silence(600)), most_bytes=50_000_000, most_s=120.0)


PLAYLIST = b"#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile:///etc/passwd\n"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"<html>", id="a page"),
        pytest.param(PLAYLIST, id="a playlist"),
        pytest.param(b"ffconcat version 1.0\nfile /etc/passwd\n", id="a list of files"),
        pytest.param(b"\xff", id="one byte"),
        pytest.param(b"RIFF\x24\x00\x00\x00WAVE", id="a head alone"),
        pytest.param(wav(silence(1))[:44], id="no sound"),
    ],
)
def test_what_is_no_recording_is_refused(data):
    """Whatever it is; what else is of no use is seen at the door (test_endpoints.py)."""
    with refused("unreadable"):
        read_recording(data, **LIMITS)


@has_listening
def test_a_playlist_behind_a_tag_opens_no_file(tmp_path):
    """A list of files is no recording, with an MP3's tag before it either: nothing that it names is opened."""
    (tmp_path / "other.mp3").write_bytes(encoded(tone(2), **FORMS["a file of MP3"]))
    lines = [
        "#EXTM3U",
        "#EXT-X-TARGETDURATION:2",
        "#EXTINF:2.0,",
        f"file://{tmp_path}/other.mp3",
        "#EXT-X-ENDLIST",
        "",
    ]
    data = b"ID3\x03\x00\x00\x00\x00\x00\x00" + "\n".join(lines).encode()
    with refused("unreadable"):
        read_recording(data, **LIMITS)
