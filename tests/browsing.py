"""What modules that drive a real browser against a live server share; add `*IN_A_BROWSER` to their `pytestmark`."""

import os
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
IN_A_BROWSER = (
    pytest.mark.e2e,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),  # as companion_site/asgi.py says
    # A browser that moves on drops its connections, and with them files that were being sent.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    # Somebody's own machine may have no browser; with CI=true the tests run, and fail without one.
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("CI") != "true", reason="Chromium is not installed"
    ),
)
