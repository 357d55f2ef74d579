"""`python waiting.py WHAT COMMAND …` runs a command and says on one line what is waited for, and for how long already.

What the command says is shown if it fails. It needs nothing but Python: it runs before anything is installed.
"""

import subprocess
import sys
import tempfile
import time
from typing import Final

GLANCE: Final = 0.5  # seconds from one look at the clock to the next
STOPPED: Final = 130  # exit status of what Ctrl-C has ended


def main(what: str, *command: str) -> int:
    """Run the command; its exit status."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)  # noqa: S603 - as make says
        try:
            _wait(running, what, started)
        except KeyboardInterrupt:  # the command has heard it too
            running.wait()
            _say("\n")
            return STOPPED
        _say(f"{what}: {time.monotonic() - started:.0f} s{'' if running.returncode == 0 else ', FAILED'}\n")
        if running.returncode:
            said.seek(0)
            sys.stderr.write(said.read().decode(errors="replace"))
    return running.returncode


def _wait(running: "subprocess.Popen[bytes]", what: str, started: float) -> None:
    is_seen = sys.stdout.isatty()
    if not is_seen:
        _say(f"{what} …\n")
    while True:
        if is_seen:
            _say(f"{what} … {time.monotonic() - started:.0f} s")
        try:
            running.wait(GLANCE)
            return
        except subprocess.TimeoutExpired:
            continue


def _say(words: str) -> None:
    """On a terminal over what stands on the line."""
    sys.stdout.write(f"\r{words}" if sys.stdout.isatty() else words)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
