"""What one request took for a moment does not stay with the web server."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Eight threads unpack thirty megabytes each, one after the other, as large runs are opened; half of it in blocks that Arrow takes.
_UNPACK = """
import threading
from pathlib import Path
import numpy as np, pyarrow as pa
if {given_back}:
    from webapp.site.memory import give_memory_back
    give_memory_back()
from engines.contract.designs import table_from_bytes, table_to_bytes
packed = table_to_bytes(pa.table({{name: np.random.default_rng(1).random(200_000) for name in "abcdefgh"}}))
def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000
def unpack():
    parts = [table_from_bytes(packed) for _ in range(3)]
    np.concatenate([part["a"].to_numpy() for part in parts])
unpack()
for _ in range(8):
    thread = threading.Thread(target=unpack)
    thread.start()
    thread.join()
print(pa.default_memory_pool().backend_name, held())
"""


def unpacked(given_back: bool) -> tuple[str, float]:
    code = _UNPACK.format(given_back=given_back)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True)
    pool, held_mb = found.stdout.split()
    return pool, float(held_mb)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_large_blocks_are_the_systems_again() -> None:
    pool, held_mb = unpacked(True)
    assert pool == "system"
    assert held_mb < unpacked(False)[1] + 5, "it holds no more than without"
