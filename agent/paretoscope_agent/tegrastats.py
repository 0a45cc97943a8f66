"""Power of a Jetson's rails from NVIDIA's tegrastats, which tells it where this account may not read the sensors."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections.abc import Sequence

_INTERVAL_MS = 50
# "VDD_IN 5336mW/5336mW"; before JetPack 5 "POM_5V_IN 2345/2300": now, and the mean since it was started; on a Thor the highest as
# well.
_RAIL = re.compile(r"\b([A-Z][A-Z0-9_]*) +(-?\d+)(?:mW)?(?:/-?\d+(?:mW)?){1,2}(?=\s|$)")
_NO_RAILS = ("RAM", "SWAP", "IRAM")


def find_tegrastats() -> str:
    """Return the path of the program; empty where there is none."""
    return shutil.which("tegrastats") or ""


def rails_mw(line: str) -> dict[str, float]:
    """Return the power of each rail in milliwatts from a line of tegrastats; empty if the line has none."""
    return {name: float(now) for name, now in _RAIL.findall(line) if name not in _NO_RAILS}


def power_w(line: str, preferred: Sequence[str]) -> float | None:
    """Return the watts of the first of the preferred rails that a line has.

    Without them of all its rails together, None without any.
    """
    rails = rails_mw(line)
    chosen = next((rails[name] for name in preferred if name in rails), sum(rails.values()))
    return chosen / 1e3 if rails else None


class Tegrastats:
    """The running program, from when it is made until `stop`.

    Args:
        program: path of the program.
        preferred: rails that stand for the whole board, the first that there is counts.
    """

    def __init__(self, program: str, preferred: Sequence[str]) -> None:
        self._preferred, self._samples_w = preferred, list[float]()
        command = [program, "--interval", str(_INTERVAL_MS)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def stop(self) -> list[float]:
        """End it; watts of every line."""
        self._process.terminate()
        self._process.wait()
        self._thread.join()
        return self._samples_w

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = power_w(line, self._preferred)
            if found is not None:
                self._samples_w.append(found)
