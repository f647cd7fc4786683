"""The browser of this machine, and how it is started and waited for."""

import shutil

from playwright.sync_api import expect

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
#: Waits are for events, which a busy machine brings late; none is proved by its coming early.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)  # one for the whole process
