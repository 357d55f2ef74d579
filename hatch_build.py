"""Builds the web client into the wheel, with a Node that comes from a Python package; and what pictures are made of."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """`web/dist` becomes `pokade/server/client`; an editable install has it where it lies."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client before the wheel is packed."""
        if self.target_name != "wheel" or version == "editable":
            return
        web = Path(self.root) / "web"
        for arguments in (("install",), ("run", "build")):
            subprocess.run([sys.executable, web / "npm.py", *arguments], check=True)  # noqa: S603 - our own script
        included = build_data["force_include"]
        included[str(web / "dist")] = "pokade/server/client"
        for path in (*web.glob("src/theme/*"), *web.glob("src/games/*/win.json"), *web.glob("src/games/*/cloth.css")):
            included[str(path)] = f"pokade/server/look/{path.relative_to(web / 'src').as_posix()}"
