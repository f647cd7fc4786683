"""Which tests share a worker: those that drive one running site, so that it is started once."""

from xdist.scheduler import LoadScopeScheduling

#: Files that start sites of their own; everything else in tests/e2e shares one.
ALONE = ("test_kills.py", "test_leaks.py", "test_traces.py")


class SiteScheduling(LoadScopeScheduling):
    """Hands out groups, the largest first, then single tests."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        if not file.startswith("tests/e2e/"):
            return nodeid
        return file if file.endswith(ALONE) else "tests/e2e"
