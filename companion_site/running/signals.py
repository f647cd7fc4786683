"""Signals turned into something a loop can wait for."""

import os
import select
import signal

#: What asks the site to stop: Ctrl-C, a service manager, a terminal that was closed.
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """Notes that a stop was asked for, and wakes a waiting loop when that or the end of a child happens."""

    def __init__(self) -> None:
        self.stop_asked = False
        self._reader, writer = os.pipe()
        for end in (self._reader, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for signum in STOP_SIGNALS:
            # Under nohup the terminal's end is ignored, and stays so.
            if signum != signal.SIGHUP or signal.getsignal(signum) is not signal.SIG_IGN:
                signal.signal(signum, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def wait(self, seconds: float) -> None:
        """Sleep so long, or until a signal comes."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        if ready:
            os.read(self._reader, 4096)

    def _ask_to_stop(self, *_: object) -> None:
        self.stop_asked = True
