"""Runs the steps of a turn: each is timed, says in which form it was done, and fails by itself. A fast model may take some in the rules' place."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal, TypeVar

import structlog
from django.conf import settings

from chat.threads import in_thread
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from companion_site.llm.types import S

logger = structlog.get_logger(__name__)

#: "late": done without the model that was asked, which did not answer in time; "stopped": its person stopped the reply
Form = Literal["model", "offline", "late", "failed", "stopped"]
#: by this name a reply without memory is found in the log, whichever of its steps failed
RECALL_FAILED = "recall.failed"
T = TypeVar("T")


@dataclass
class Step:
    """One step as the reply's row keeps it: metadata, never a word.

    Attributes:
        ms: how long it took; None while it runs.
        counts: how many of what it found or left out, and further durations.
    """

    name: str
    form: Form = "offline"
    ms: float | None = None
    counts: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"step": self.name, "form": self.form, "ms": self.ms, **self.counts}


Work = Callable[[Step], Awaitable[T]]


def threaded(function: Callable[..., Any], /, *args: Any, **given: Any) -> Work[Any]:
    """Return a step that is done in a thread, and has nothing to tell of itself."""
    return lambda step: in_thread(function, *args, **given)


@dataclass
class Steps:
    """The steps of one turn.

    Attributes:
        about: the message's id, for the log.
        taken: in the order in which they ended.
    """

    about: str
    taken: list[Step] = field(default_factory=list)

    async def take(self, name: str, work: Work[T]) -> T:
        """Run a step that the reply cannot do without."""
        step = Step(name)
        started = perf_counter()
        try:
            return await work(step)
        except asyncio.CancelledError:
            step.form = "stopped"
            raise
        except Exception:  # whatever it was goes on up; here it is only written down
            step.form = "failed"
            raise
        finally:
            step.ms = round((perf_counter() - started) * 1000, 1)
            self.taken.append(step)

    async def try_to(self, name: str, work: Work[T], *, otherwise: T, logs: str = "step.failed") -> T:
        """Run a step whose failing costs the reply that step alone.

        Args:
            logs: the name under which a failure stands in the log.
        """
        try:
            return await self.take(name, work)
        except Exception:  # a poorer reply is better than none
            logger.exception(logs, step=name, message=self.about)
            return otherwise

    def has_waited(self) -> bool:
        """Tell whether a step has waited for a model in vain: the person waits as long, and not once more."""
        return any(step.form == "late" for step in self.taken)

    def to_json(self) -> list[dict[str, Any]]:
        return [step.to_json() for step in self.taken]

    def timings_ms(self) -> dict[str, float]:
        """Return how long the parts of a turn took that figures are made of: "embed", until message and memory can be compared, ends with the later
        of the two."""
        found: dict[str, float] = {}
        for step in self.taken:
            ms = step.ms or 0.0
            if step.name in {"embed", "open"}:
                found["embed"] = max(ms, found.get("embed", 0.0))
            elif step.name in {"recall", "compose"}:
                found[step.name] = ms
            elif step.name == "reply":
                found["stream"] = ms
                if "first_ms" in step.counts:
                    found["first_token"] = step.counts["first_ms"]
        return found


MOST_TOKENS = 300
#: of the message that a model reads
MOST_MESSAGE_CHARS = 1_000


def asking_gateway(gateway: Gateway) -> Gateway | None:
    """Return the gateway where steps ask a model (`TURN_STEPS=model`) and one is set up; else None."""
    return gateway if settings.TURN_STEPS == "model" and gateway.providers else None


async def ask(gateway: Gateway, schema: type[S], step: Step, *, instructions: str, data: str) -> S | None:
    """Return what a fast model reads in the rules' place (curate, plan, tone), None where none answered in the form and in time.

    It answers in numbers and names out of closed sets, never in a sentence; the step notes which it was.

    Args:
        instructions: our own words; data: what it decides by, never an instruction.
    """
    try:
        async with asyncio.timeout(settings.TURN_STEP_TIMEOUT_S):
            asked = await gateway.extract(
                schema,
                instructions=instructions,
                data=data,
                purpose=f"chat.{step.name}",
                max_tokens=MOST_TOKENS,
            )
    except (LanguageModelError, TimeoutError) as error:
        code = "timeout" if isinstance(error, TimeoutError) else error.code
        logger.info("step.offline", step=step.name, code=code)
        step.form = "late" if code == "timeout" else "offline"
        return None
    step.form = "model"
    return asked.value
