"""The site's own background workers beside a bench, started as `make run` starts them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from django_q.models import OrmQ

from companion_site.running.environment import read_environment
from companion_site.running.services import worker_service

GRACE_S = 10.0
POLL_S = 0.05


@contextmanager
def working(count: int, *, env: Mapping[str, str]) -> Iterator[None]:
    """Have so many processes carry out jobs for as long as the block.

    Args:
        env: of the processes; leads to the database and the keys.
    """
    with TemporaryDirectory(prefix="companion-workers-") as place:
        # Its locks lie apart from those of a site that may be running on the same data.
        apart = replace(read_environment(), var_dir=Path(place))
        (apart.var_dir / "run").mkdir()
        group = worker_service(apart, {**env, "JOB_WORKERS": str(count)}).group
        group.start()
        try:
            yield
        finally:
            group.ask_to_stop()
            group.end(grace_s=GRACE_S)


def wait_for_jobs(*, patience_s: float) -> None:
    """Wait until no job is left.

    Raises:
        RuntimeError: some are left after so long.
    """
    deadline = monotonic() + patience_s
    while OrmQ.objects.exists():
        if monotonic() > deadline:
            raise RuntimeError(f"{OrmQ.objects.count()} jobs are left after {patience_s:.0f} s")
        sleep(POLL_S)
