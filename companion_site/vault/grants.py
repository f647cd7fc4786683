"""What is open in this process in somebody's name, and its end within a second of that of what it rests on.

A **grant** is what a socket, a request or a program's call holds while it lasts. It rests on an *authority*: a log-in or an API
token, which is rows and nothing else. Nobody announces that an authority has ended. While any grant is open, one thread
asks the database every `ASK_EVERY_S` which of them still stand, and ends the others; so it makes no difference which process
or which hand ended them, and no notice can be lost.

A grant that has ended opens no transaction of a space and commits none (`scope.space_scope`), sends nothing, and stops what runs
under it. It follows its work into tasks and threads, since it lies in a context variable.

Where the database does not answer for `PATIENCE_S`, nobody knows what still stands, and grants are ended as if they did not.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from math import inf
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connections
from django.utils import timezone
from django.utils.module_loading import import_string

from companion_site.errors import SpaceLocked
from companion_site.vault.plaintext import forget_space, held_spaces

logger = structlog.get_logger(__name__)

#: How often the database is asked: with the query and the ending of what runs, well within a second.
ASK_EVERY_S = 0.4
#: How long a grant lasts on the last answer. A restart of the database is shorter; while it is away nothing is read or written.
PATIENCE_S = 10.0
#: What is held of spaces that nobody has a grant of is asked about less often.
ASK_OF_HELD_EVERY_S = 2.0

P = ParamSpec("P")
R = TypeVar("R")


class Authority(ABC):
    """What a grant rests on; frozen dataclasses, of which equal ones are asked about once."""

    @classmethod
    @abstractmethod
    def standing(cls, asked: Collection[Any], *, now: datetime) -> Collection["Authority"]:
        """Return those of this kind that still stand, by as few queries as there are tables."""


class Grant:
    """One thing that is open in somebody's name.

    Attributes:
        space: the space whose key it holds, None where that is closed.
        ended: whether what it rests on has ended, or cannot be known to stand. One that was merely closed has not ended.
        is_known: False where it ended because the database did not answer: whoever comes back may be let in again.
    """

    def __init__(self, authority: Authority, space: UUID | None) -> None:
        self.authority, self.space = authority, space
        self.confirmed_at = monotonic()
        self._ended, self._is_known = False, True
        self._uses = 0
        self._guard = Lock()
        self._callbacks: dict[object, Callable[[], object]] = {}

    @property
    def ended(self) -> bool:
        return self._ended or self._is_unconfirmed

    @property
    def is_known(self) -> bool:
        return self._is_known if self._ended else not self._is_unconfirmed

    @property
    def _is_unconfirmed(self) -> bool:
        return not _grants.paused and monotonic() - self.confirmed_at > PATIENCE_S

    def check(self) -> None:
        """Go on only where it has not ended.

        Raises:
            SpaceLocked: it has.
        """
        if self.ended:
            raise SpaceLocked()

    @contextmanager
    def using(self) -> Iterator["Grant"]:
        """Keep it open, and asked about, for the length of the block."""
        with self._guard:
            self._uses += 1
            _grants.add(self)
        try:
            yield self
        finally:
            with self._guard:
                self._uses -= 1
                if not self._uses:
                    _grants.remove(self)

    @contextmanager
    def when_ended(self, stop: Callable[[], object]) -> Iterator[None]:
        """Have `stop` called once, from any thread, when it ends during the block; at once where it has."""
        place = object()
        with self._guard:
            if not (is_late := self._ended):
                self._callbacks[place] = stop
        if is_late:
            stop()
        try:
            yield
        finally:
            with self._guard:
                self._callbacks.pop(place, None)

    def end(self, *, is_known: bool = True) -> None:
        """End it: what runs under it stops, and with the last grant of a space goes what this process held of that.

        Args:
            is_known: the database has said so; False where it has said nothing for too long.
        """
        with self._guard:
            self._ended, self._is_known = True, is_known
            callbacks, self._callbacks = list(self._callbacks.values()), {}
        _grants.remove(self)
        logger.info("grant.ended", authority=type(self.authority).__name__, space=str(self.space))
        for stop in callbacks:
            try:
                stop()
            except Exception:  # of one; the others are to stop all the same
                logger.exception("grant.not_stopped")
        if self.space is not None:
            _grants.forget_unless_open(self.space)

    def let_go(self) -> None:
        """Ask no more: its holder has ended or replaced what it rests on and goes on by what they have just proved."""
        self.confirmed_at = inf
        _grants.remove(self)


class Grants:
    """Every open grant of this process, and the thread that asks about them.

    Attributes:
        paused: nothing is asked; for tests whose rows no other connection can see, and for benches in which nobody logs in.
    """

    def __init__(self) -> None:
        self.paused = False
        self._open: set[Grant] = set()
        self._guard = Lock()
        self._watcher: Thread | None = None
        self._asked_of_held_at = 0.0
        self._is_lost = False

    def __len__(self) -> int:
        return len(self._open)

    def add(self, grant: Grant) -> None:
        with self._guard:
            if grant in self._open:
                return
            self._open.add(grant)
            # In a process that was forked from one with a watcher there is none: threads stay behind.
            if self._watcher is None or not self._watcher.is_alive():
                self._watcher = Thread(target=self._watch, name="grants", daemon=True)
                self._watcher.start()

    def remove(self, grant: Grant) -> None:
        with self._guard:
            self._open.discard(grant)

    def is_open(self, space: UUID) -> bool:
        """Tell whether any grant of a space is open in this process."""
        with self._guard:
            return any(grant.space == space for grant in self._open)

    def forget_unless_open(self, space: UUID) -> None:
        """Drop what this process holds of a space, unless somebody has a grant of it."""
        if not self.is_open(space):
            forget_space(space)

    def ask(self, *, now: datetime) -> None:
        """End those whose authority has ended, and forget what was held for them."""
        with self._guard:
            grants = list(self._open)
        by_kind: dict[type[Authority], list[Grant]] = defaultdict(list)
        for grant in grants:
            by_kind[type(grant.authority)].append(grant)
        for kind, asked in by_kind.items():
            began = monotonic()
            standing = kind.standing({grant.authority for grant in asked}, now=now)
            for grant in asked:
                if grant.authority in standing:
                    grant.confirmed_at = began
                else:
                    grant.end()

    def forget_without_standing(self, *, now: datetime) -> None:
        """Forget the spaces that are held here and that nothing opens any more."""
        held = {space for space in held_spaces() if not self.is_open(space)}
        if held:
            for space in import_string(settings.SPACES_WITHOUT_STANDING)(held, now=now):
                forget_space(space)

    def _watch(self) -> None:
        try:
            while self._is_needed():
                sleep(ASK_EVERY_S)
                if not self.paused:
                    self._ask_now()
        finally:
            connections.close_all()

    def _is_needed(self) -> bool:
        with self._guard:
            if self._open or held_spaces():
                return True
            self._watcher = None
            return False

    def _ask_now(self) -> None:
        try:
            for connection in connections.all(initialized_only=True):
                connection.close_if_unusable_or_obsolete()
            self.ask(now=timezone.now())
            if monotonic() - self._asked_of_held_at > ASK_OF_HELD_EVERY_S:
                self._asked_of_held_at = monotonic()
                self.forget_without_standing(now=timezone.now())
            self._is_lost = False
        except Exception:  # whatever the database has; what it does not confirm ends by itself
            if not self._is_lost:
                logger.exception("grants.not_asked")
            self._is_lost = True
            self._end_unconfirmed()

    def _end_unconfirmed(self) -> None:
        with self._guard:
            unconfirmed = [grant for grant in self._open if grant.ended]
        for grant in unconfirmed:
            grant.end(is_known=False)


_grants = Grants()
_current: ContextVar[Grant | None] = ContextVar("grant", default=None)


def open_grants() -> Grants:
    """Return what is open in this process."""
    return _grants


def current_grant() -> Grant | None:
    """Return the grant under which this task or thread works; None for a command, a job, or what a test calls."""
    return _current.get()


@contextmanager
def granted(authority: Authority, space: UUID | None) -> Iterator[Grant]:
    """Open a grant for the length of the block, which works under it; the caller has just seen its authority stand."""
    check_current_grant()
    with Grant(authority, space).using() as grant, working_under(grant):
        yield grant


@contextmanager
def working_under(grant: Grant | None) -> Iterator[None]:
    """Work under a grant that is open; under None, to leave behind a mark that no key is needed for."""
    token = _current.set(grant)
    try:
        yield
    finally:
        _current.reset(token)


def check_current_grant() -> None:
    """Go on only where the grant under which this works has not ended.

    Raises:
        SpaceLocked: it has.
    """
    if (grant := _current.get()) is not None:
        grant.check()


@contextmanager
def using_grant() -> Iterator[Grant | None]:
    """Keep the grant under which this works open, and asked about, for the length of the block; None where there is none."""
    grant = _current.get()
    if grant is None:
        yield None
        return
    with grant.using():
        yield grant


def let_go_of_grant() -> None:
    """Go on without asking; called where a person has just proved anew who they are, and changes what their grant rests on."""
    if (grant := _current.get()) is not None:
        grant.let_go()


def keeping_grant(function: Callable[P, R]) -> Callable[P, R]:
    """Return `function` such that the grant under which it works stays open until it is done, whoever stops waiting for it."""

    @wraps(function)
    def kept(*args: P.args, **kwargs: P.kwargs) -> R:
        with using_grant():
            return function(*args, **kwargs)

    return kept


def cancelling(work: "asyncio.Future[Any]") -> Callable[[], object]:
    """Return what cancels a task of the running loop, from any thread."""
    loop = asyncio.get_running_loop()
    return lambda: loop.call_soon_threadsafe(work.cancel)


def cancelling_this_task() -> Callable[[], object]:
    """Return what cancels the task that calls this, from any thread."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("only what runs as a task can be cancelled")
    return cancelling(task)
