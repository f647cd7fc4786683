"""Asking the modules that count, one failing alone, and keeping what they said for a moment."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from threading import Lock
from typing import TypeVar, cast

import structlog
from django.conf import settings

from companion_site.metrics.figures import FiguresModule, Gauge

logger = structlog.get_logger(__name__)

#: So long an answer stands: scrapers and impatient people cost the database one look.
HELD_FOR = timedelta(seconds=10)

T = TypeVar("T")


def figures_modules() -> dict[str, FiguresModule]:
    """Return the modules that count, by their names."""
    return {name: cast(FiguresModule, import_module(name)) for name in settings.FIGURES}


def ask_all(question: Callable[[FiguresModule], Iterable[T]]) -> tuple[list[T], dict[str, bool]]:
    """Return what all modules answer, and of each whether it could; one that fails takes nothing from the others."""
    found: list[T] = []
    answered = {}
    for name, module in figures_modules().items():
        try:
            found += list(question(module))
            answered[name] = True
        except Exception:  # what is counted elsewhere still stands
            logger.exception("metrics.failed", source=name)
            answered[name] = False
    return found, answered


class HeldGauges:
    """The gauges of all modules, counted anew when they have stood for a while."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._at: datetime | None = None
        self._gauges: Sequence[Gauge] = ()

    def get(self, now: datetime) -> Sequence[Gauge]:
        """Return them; of two who ask at once, one counts and the other waits for it."""
        with self._lock:
            if self._at is None or not timedelta() <= now - self._at < HELD_FOR:
                self._gauges, self._at = list(count_all(now)), now
            return self._gauges

    def forget(self) -> None:
        """Count anew next time."""
        with self._lock:
            self._at = None


def count_all(now: datetime) -> Iterator[Gauge]:
    """Yield every gauge, and which modules could count theirs."""
    gauges, answered = ask_all(lambda module: module.gauges(now))
    yield from gauges
    yield Gauge(
        name="companion_figures_up",
        told="Whether a module could count its figures (1) or failed (0).",
        labels=("source",),
        samples={(name,): float(well) for name, well in answered.items()},
    )


held_gauges = HeldGauges()
