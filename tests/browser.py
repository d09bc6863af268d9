"""A real browser for tests of pages: Chromium, driven by Playwright. The fixtures are in conftest.py."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# Tests may run as root in a container, without a graphics card, and ask nobody outside.
ARGUMENTS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 900}


def binary() -> str | None:
    """The browser that CHROMIUM names, or the first that the machine has."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser. As long as it is there, nothing else in this thread can run an event loop."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary(), args=ARGUMENTS)
        yield browser
        browser.close()


class Tabs:
    """Opens pages in a browser, and hears everything that they complain about."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(self, address: str, size: dict[str, int] | None = None, **more: Any) -> Page:
        """Opens it at a desk unless told; animations are asked to be calm."""
        viewport: Any = size or DESK
        context = self.browser.new_context(viewport=viewport, reduced_motion="reduce", **more)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: self.hear(said.type, said.text))
        page.on("pageerror", lambda error: self.hear("error", str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(address)
        return page

    def hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()


def until(page: Page, expression: str, seconds: float = 10) -> None:
    """Waits for it to become true. Playwright's own `wait_for_function` is stopped by our content policy."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not in {seconds} s: {expression}"
        page.wait_for_timeout(20)


def is_too_wide(page: Page) -> bool:
    """Whether the page has to be scrolled sideways."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return wide
