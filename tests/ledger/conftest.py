"""A student's unlocked space, and drafts of entries."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from companion_site.vault import unlocked
from ledger.entries import EntryDraft


@pytest.fixture
def space(ada) -> Iterator[UUID]:
    """Ada's space, unlocked in this test."""
    with unlocked(ada.space, ada.key):
        yield ada.space


def make_draft(content: str = "I owe Amir two hundred kronor.", **overrides) -> EntryDraft:
    fields = {"category": "debt", "triggers": ["kronor"], "trigger_entities": ["Amir"], **overrides}
    return EntryDraft(content=content, **fields)
