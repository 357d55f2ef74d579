"""Where a browser comes from: this machine, Playwright's own download, or the packages of the system."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Playwright, sync_playwright

GIVEN: Final = "POKADE_TEST_BROWSER"  # the path of a Chromium to be used instead
SHELL: Final = "chromium-headless-shell"  # draws and runs pages as Chromium does, without all that a window needs
CHROME: Final = ("google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
NAMES: Final = (SHELL, "chromium", "chromium-browser", *CHROME)
WITHOUT: Final = (  # all but the last line is what Playwright turns off by the same flag, of which the last one counts
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "OptimizationHints"),
    *(
        "HttpsFirstBalancedModeAutoEnable",
        "LensOverlay",
        "MediaRouter",
        "PaintHolding",
        "ThirdPartyStoragePartitioning",
    ),
    *("AvoidCorsURLLoaderRestartOnRedirect", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),  # two more pages a window, which nobody sees: half of its cost
)
FLAGS: Final = (
    "--no-sandbox",  # tests often run as root in a container, and open only our own page
    "--disable-gpu",  # there is none, and pretending costs time
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--mute-audio",
    f"--disable-features={','.join(WITHOUT)}",
    "--host-resolver-rules=MAP pokade.test 127.0.0.1",  # a host name that is no secure context
)
HELP: Final = f"no browser: install Chromium, or set {GIVEN} to the path of one"


def launched(playwright: Playwright) -> Browser:
    """A Chromium without a window."""
    return playwright.chromium.launch(executable_path=found(playwright), args=list(FLAGS))


class Shared:
    """The browser of this process: opened by the first test that wants it, closed before one with a loop of its own."""

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def opened(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self.close()
            self._playwright = sync_playwright().start()
            self._browser = launched(self._playwright)
        return self._browser

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = None


SHARED: Final = Shared()


def found(playwright: Playwright) -> str:
    """The path of a browser; it is fetched if there is none."""
    return present(playwright) or downloaded(playwright) or packaged() or sys.exit(HELP)


def present(playwright: Playwright) -> str | None:
    here = os.environ.get(GIVEN) or next(filter(None, map(shutil.which, NAMES)), None)
    own = playwright.chromium.executable_path
    return here or (own if Path(own).exists() else None)


def downloaded(playwright: Playwright) -> str | None:
    _say("Downloading Chromium for Playwright, since there is no browser.")
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def packaged() -> str | None:
    if not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        return None
    _say(f"Installing Chromium ({SHELL}) on this machine with apt-get, since there is no browser.")
    _run("apt-get", "update")
    for package in (SHELL, "chromium"):  # older systems have no package of the shell alone
        _run("apt-get", "install", "--yes", "--no-install-recommends", package)
        if path := shutil.which(package):
            return path
    return None


def _say(line: str) -> None:
    sys.stderr.write(f"{line} {GIVEN}=/path/to/chromium uses another.\n")
    sys.stderr.flush()


def _run(*command: str) -> None:
    subprocess.run(command, check=False, capture_output=True, timeout=600)


def main() -> None:
    """Fetch a browser once, before several processes look for one."""
    with sync_playwright() as playwright:
        found(playwright)


if __name__ == "__main__":
    main()
