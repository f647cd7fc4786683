"""Fitted calibrations on disk, one small file a model, so that each model is fitted once."""

import json
from contextlib import suppress
from hashlib import sha256
from os import getpid
from pathlib import Path

from django.conf import settings

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.calibration_fit import PAIRS


def read_calibration(model: str) -> Calibration | None:
    """Return the calibration kept for `model`; None where there is none, or what lies there is damaged."""
    try:
        kept = json.loads(_path_of(model).read_text(encoding="utf-8"))
        return Calibration(
            raw=tuple(map(float, kept["raw"])),
            calibrated=tuple(map(float, kept["calibrated"])),
            provenance=str(kept["provenance"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def keep_calibration(model: str, calibration: Calibration) -> None:
    """Write whole or not at all; where the folder cannot be written, the next process fits anew."""
    path = _path_of(model)
    part = path.with_suffix(f".{getpid()}.part")
    kept = {
        "model": model,
        "raw": calibration.raw,
        "calibrated": calibration.calibrated,
        "provenance": calibration.provenance,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(kept), encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _path_of(model: str) -> Path:
    """Other pairs make another calibration, so they are part of the name."""
    name = sha256(model.encode() + b"\0" + PAIRS.read_bytes()).hexdigest()[:32]
    return Path(settings.VAR_DIR) / "calibrations" / f"{name}.json"
