"""Dialogues to read, and a model on this machine that answers as a test says."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from companion_site.ids import new_id
from memory.company.extraction.dialogue import Dialogue, Line
from tests.factories import NOW
from tests.llm.wire_server import Act, WireServer


def make_dialogue(*texts: str, language: str = "en", after: int = 0) -> Dialogue:
    """Make a dialogue of what a person and the companion said in turn; the person begins."""
    lines = tuple(
        Line(
            id=new_id(),
            position=place,
            text=text,
            language=language,
            said_at=NOW + timedelta(minutes=place),
            is_person=place % 2 == 1,
            speaker=None,
        )
        for place, text in enumerate(texts, 1)
    )
    return Dialogue(conversation=new_id(), lines=lines, after=after, until=len(lines))


class Model:
    """A model that answers every request the same way."""

    def __init__(self, server: WireServer) -> None:
        self.server = server

    def finds(self, *facts: dict) -> None:
        self.says(json.dumps({"facts": list(facts)}))

    def says(self, text: str) -> None:
        self.server.always(Act(text=text))


@pytest.fixture
def model(model, db) -> Model:
    return Model(model)


@pytest.fixture
def fact() -> Callable[..., dict]:
    """Make a fact as a model gives it."""

    def make(content: str, **overrides) -> dict:
        return {"category": "knowledge", "content": content, "confidence": 0.9, "message": 1} | overrides

    return make
