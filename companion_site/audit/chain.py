"""How one audit event is hashed. Pure: the verifier and the writer share it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

START = bytes(32)

#: What the hash covers, in this order; every value is written out, empty ones too.
FIELDS = (
    "id",
    "chain",
    "position",
    "at",
    "action",
    "actor_id",
    "actor_label",
    "subject_type",
    "subject_id",
    "data",
)


def event_hash(previous: bytes, values: Mapping[str, Any]) -> bytes:
    """Return the 32-byte SHA-256 of one event and its predecessor's hash.

    JSON with sorted keys marks where each field ends and tells `null` from an empty string, so no two events share
    a form.

    Args:
        previous: 32 bytes, `START` for a chain's first event.
        values: a value for each of `FIELDS`; times as ISO 8601 in UTC, identifiers as strings.
    """
    body = [[name, values[name]] for name in FIELDS]
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(previous + text.encode()).digest()
