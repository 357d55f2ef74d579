"""The process around the server: what it asks of the system."""

import subprocess
import sys

import pytest

ASKS = """
import resource
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
from pokade.server.run import tune
tune()
soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
print(soft, hard)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_server_asks_for_as_many_open_files_as_it_may_have():
    said = subprocess.run([sys.executable, "-c", ASKS], check=True, capture_output=True, text=True).stdout

    soft, hard = map(int, said.split())
    assert soft == hard or soft >= 4096 or soft == -1
    assert soft > 256 or hard == 256
