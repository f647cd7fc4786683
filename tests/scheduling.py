"""Which tests share a worker: those that need something which takes long to make, so that it is made once."""

from xdist.scheduler import LoadScopeScheduling

#: Files that start sites of their own; everything else in tests/e2e shares one.
ALONE = ("test_kills.py", "test_leaks.py", "test_traces.py")
#: Files that embed hundreds of labelled sentences.
LABELLED = (
    "memory/algorithms/test_values_frames.py",
    "memory/company/test_discerning.py",
    "memory/mcp/test_backup.py",
    "embeddings/test_openai.py",
)


class SiteScheduling(LoadScopeScheduling):
    """Hands out groups, the largest first, then single tests."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        if file.endswith(LABELLED):
            return file
        if not file.startswith("tests/e2e/"):
            return nodeid
        return file if file.endswith(ALONE) else "tests/e2e"
