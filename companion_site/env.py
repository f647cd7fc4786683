"""Reading the environment: a value that cannot be used ends the process with one line that names it."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
Network = IPv4Network | IPv6Network
Value = TypeVar("Value")


class Env(environ.FileAwareEnv):
    """The process's environment and `.env`; NAME_FILE names a file to read NAME from. An empty value is none given.

    A value that does not fit raises SystemExit, whose one line says which and what it takes.
    """

    def text(self, name: str, default: str) -> str:
        """Return words, or the default where there are none."""
        return self.str(name, "").strip() or default

    def words(self, name: str, default: Sequence[str]) -> list[str]:
        """Return words that commas divide, or the default where there are none."""
        return [word.strip() for word in self.text(name, ",".join(default)).split(",") if word.strip()]

    def whole(self, name: str, default: int, *, least: int) -> int:
        """Return a whole number, `least` or more."""
        return self._checked(name, default, int, lambda n: n >= least, f"a whole number of at least {least}")

    def number(self, name: str, default: float, *, least: float) -> float:
        """Return a finite number, `least` or more."""
        form = f"a number of at least {least:g}"
        return self._checked(name, default, float, lambda n: least <= n < float("inf"), form)

    def switch(self, name: str, *, default: bool) -> bool:
        """Return what a yes or a no says."""
        return self.choice(name, YES[0] if default else NO[0], (*YES, *NO)) in YES

    def choice(self, name: str, default: str, known: Collection[str]) -> str:
        """Return one of the `known` words, however it is cased."""
        words = {word.casefold(): word for word in known}
        return self._checked(
            name, default, lambda text: words.get(text.casefold(), ""), bool, f"one of {', '.join(known)}"
        )

    def networks(self, name: str) -> list[Network]:
        """Return addresses and networks that commas divide; none by default."""
        form = "addresses or networks, such as 10.0.0.5,10.1.0.0/16"
        return self._checked(
            name, [], lambda text: list(map(ip_network, self.words(name, []))), lambda _: True, form
        )

    def time_zone(self, name: str, default: str) -> str:
        """Return the name of a time zone that this machine knows."""
        return self._checked(name, default, _zone, bool, "a time zone, such as Europe/Stockholm")

    def _checked(
        self,
        name: str,
        default: Value,
        cast: Callable[[str], Value],
        holds: Callable[[Value], bool],
        form: str,
    ) -> Value:
        text = self.text(name, "")
        if not text:
            return default
        with suppress(ValueError):
            value = cast(text)
            if holds(value):
                return value
        raise SystemExit(f"{name}={text} cannot be used: it takes {form} (docs/settings.md).")


def _zone(text: str) -> str:
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, OSError):
        raise ValueError(text) from None
