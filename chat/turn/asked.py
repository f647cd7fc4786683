"""The message of a turn, and what a side of the companion makes of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog

from chat.access import ChatAccess
from chat.models import Message
from chat.turn.composing import Composed
from chat.turn.stepping import Steps
from companion_site.llm.chain import Gateway
from ledger.matching import Triggered

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The message of a turn.

    Attributes:
        gateway: who is asked where a step asks a model; None: no step does.
    """

    access: ChatAccess
    message: Message
    text: str
    memory_on: bool
    now: datetime
    gateway: Gateway | None = None


@dataclass
class Side(ABC):
    """The part of a turn that knows what is remembered.

    Attributes:
        timings_ms: how long the parts of it took that figures are made of.
        outcome: what the steps came to, in words; None where nothing of it is kept.
    """

    asked: Asked
    timings_ms: dict[str, float] = field(default_factory=dict)
    steps: Steps = field(init=False)
    outcome: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.steps = Steps(str(self.asked.message.pk))

    @abstractmethod
    async def compose(self) -> Composed:
        """Return what the model is asked."""

    @abstractmethod
    async def after_reply(self) -> None:
        """Note what was of use; the reply stands whether or not that succeeds."""

    @property
    def entries(self) -> Sequence[Triggered]:
        """What the message brought up of the ledger."""
        return ()

    def _log(self, count: int) -> None:
        asked, timings = self.asked, self.timings_ms
        logger.info(
            "memory.recalled",
            space=str(asked.access.space),
            person=str(asked.access.person.pk),
            message=str(asked.message.pk),
            count=count,
            embed_ms=timings["embed"],
            duration_ms=round(timings["embed"] + timings["recall"], 1),
        )

    def _time(self, step: str) -> None:
        """Count a step that was taken among those that figures are made of."""
        self.timings_ms[step] = self.steps.ms_of(step) or 0.0
