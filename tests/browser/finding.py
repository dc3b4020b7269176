"""Find a browser to test in, or say what to do."""

import os
import shutil

from playwright.sync_api import Browser, Error, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
SKIP = "CAIRN_SKIP_BROWSER"
CHOOSE = "CAIRN_BROWSER"
ADVICE = (
    "no browser to test the page in: install Chromium or Chrome (Debian: apt-get install "
    "chromium), or run `playwright install chromium`, or name one in "
    f"{CHOOSE}; {SKIP}=1 leaves these tests out"
)


class NoBrowser(Exception):
    """None was found; the text says what to do."""


def open_browser(playwright: Playwright) -> Browser:
    """An installed Chromium or Chrome, else the one that playwright downloaded."""
    chosen = os.environ.get(CHOOSE)
    found = chosen or next(filter(None, map(shutil.which, NAMES)), None)
    try:
        return playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
    except Error as error:
        raise NoBrowser(f"{ADVICE} ({str(error).splitlines()[0]})") from error
