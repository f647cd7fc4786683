"""Which tests share a worker: those that need something which takes long to make, so that it is made once."""

from xdist.scheduler import LoadScopeScheduling

#: Files of tests/e2e that start sites of their own; everything else there shares one.
ALONE = ("test_first_look.py", "test_kills.py", "test_leaks.py", "test_traces.py")
#: Files whose tests share a browser, a site or hundreds of embedded sentences.
SHARING = (
    "browser.py",
    "running/test_deployment.py",
    "running/test_restoring.py",
    "memory/company/test_reconcile.py",
    "memory/company/test_year.py",
    "memory/company/extraction/test_extraction_offline.py",
    "memory/agents/mcp/test_backup.py",
    "embeddings/test_openai.py",
)
#: What reads the whole source, of which each worker would otherwise make syntax trees of its own, and go over them.
READING = ("tests/guards/", "tests/llm/test_fences.py")


class SiteScheduling(LoadScopeScheduling):
    """Hands out groups, the largest first, then single tests in the order of the collection."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        if file.endswith(SHARING):
            return file
        if file.startswith(READING):
            return READING[0]
        if not file.startswith("tests/e2e/"):
            return nodeid
        return file if file.endswith(ALONE) else "tests/e2e"
