"""What the hub asks of orjson, said with the standard library: the build for browsers puts this file in its place."""

import json
from collections.abc import Callable
from typing import Any, Final

OPT_PASSTHROUGH_DATACLASS: Final = 0  # the standard library does both anyway
OPT_NON_STR_KEYS: Final = 0

loads = json.loads


def dumps(value: Any, default: Callable[[Any], Any] | None = None, option: int = 0) -> bytes:
    """A value as JSON, without spaces."""
    return json.dumps(value, default=default, ensure_ascii=False, separators=(",", ":")).encode()
