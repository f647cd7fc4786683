"""Where checkpoints are kept: a directory that is only ever added to, and a command that sends each away."""

import os
import re
import secrets
import shlex
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from companion_site.secret_files import replace_file, sync_directory

NAME = re.compile(r"([0-9]{9,20})\.checkpoint")
IN_ONE_FOLDER = 1000
COMMAND_TIMEOUT_S = 60
#: A draft older than this was left by a process that was killed.
DRAFT_LASTS_S = 86_400


class NotSent(Exception):
    """The command did not take a checkpoint."""


class CheckpointDirectory:
    """Checkpoints by their numbers, a thousand to a folder. A file appears whole and on the disk, or not at all."""

    def __init__(self, directory: Path) -> None:
        self.directory = Path(directory)

    def last_number(self) -> int:
        """Return the greatest number there is; 0 where there is none."""
        return max(self._numbers_in(self._folders()[-1:]), default=0)

    def files(self) -> Iterator[tuple[int, IO[bytes]]]:
        """Yield every number with its file, in order."""
        for folder in self._folders():
            for number in self._numbers_in([folder]):
                with (folder / _name(number)).open("rb") as file:
                    yield number, file

    def open(self, number: int) -> IO[bytes]:
        """Open one. Raises FileNotFoundError."""
        return self._path(number).open("rb")

    @contextmanager
    def draft(self) -> Iterator[IO[bytes]]:
        """Give a file to write a checkpoint into, which goes again unless it was added."""
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in self.directory.glob(".*.draft"):
            with suppress(FileNotFoundError):  # somebody else tidies too
                if time.time() - left.stat().st_mtime > DRAFT_LASTS_S:
                    left.unlink()
        path = self.directory / f".{secrets.token_hex(8)}.draft"
        try:
            with path.open("w+b") as file:
                yield file
        finally:
            path.unlink(missing_ok=True)

    def add(self, number: int, draft: IO[bytes]) -> bool:
        """Give a draft its number; False where somebody else was faster, and there is one already."""
        draft.flush()
        os.fsync(draft.fileno())
        path = self._path(number)
        path.parent.mkdir(exist_ok=True, mode=0o700)
        try:
            os.link(draft.name, path)
        except FileExistsError:
            return False
        for folder in (path.parent, self.directory):
            sync_directory(folder)
        return True

    def count_unsent(self) -> int:
        """Return how many checkpoints the command has not taken yet."""
        return max(0, self.last_number() - self._sent())

    def send(self, command: str) -> int:
        """Give the command each checkpoint that it has not taken yet, the oldest first; return how many.

        Raises:
            NotSent: it could not be started, took too long or failed; what it took before counts.
        """
        count = 0
        for number in range(self._sent() + 1, self.last_number() + 1):
            words = [word.replace("{name}", _name(number)) for word in shlex.split(command)]
            try:
                with self.open(number) as file:
                    subprocess.run(  # noqa: S603 (the command is the setting)
                        words,
                        stdin=file,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        timeout=COMMAND_TIMEOUT_S,
                        check=True,
                    )
            except (OSError, subprocess.SubprocessError, ValueError) as problem:
                raise NotSent(type(problem).__name__) from None
            replace_file(self.directory / "sent", str(number).encode())
            count += 1
        return count

    def _sent(self) -> int:
        try:
            return int((self.directory / "sent").read_bytes())
        except (FileNotFoundError, ValueError):
            return 0

    def _folders(self) -> list[Path]:
        if not self.directory.exists():
            return []
        found = [path for path in self.directory.iterdir() if path.name.isdecimal() and path.is_dir()]
        return sorted((path for path in found if any(path.iterdir())), key=lambda path: int(path.name))

    def _numbers_in(self, folders: list[Path]) -> list[int]:
        names = [NAME.fullmatch(path.name) for folder in folders for path in folder.iterdir()]
        return sorted(int(name[1]) for name in names if name is not None)

    def _path(self, number: int) -> Path:
        return self.directory / f"{number // IN_ONE_FOLDER:06d}" / _name(number)


def _name(number: int) -> str:
    return f"{number:09d}.checkpoint"
