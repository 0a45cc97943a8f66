"""`make up ONCE=1` on fresh data: seconds per phase, and the product's own share.

From this checkout's environment: installations are not part of these figures; `make up` prints them where it makes some.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Figure, show

ROOT = Path(__file__).resolve().parent.parent
OWN_LIMIT_S = 20.0


def measure(folder: Path) -> dict[str, float]:
    """Seconds per phase of a start on data in `folder`, which holds none yet on the first call."""
    timings = folder / "timings.json"
    command = [sys.executable, "tools/up.py", "--once", "--no-torch", "--timings", str(timings)]
    result = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PARETOSCOPE_VAR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise SystemExit(result.stdout + result.stderr)
    seconds: dict[str, float] = json.loads(timings.read_text())
    return seconds


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        first, again = measure(Path(folder)), measure(Path(folder))
    figures = [Figure(f"first start: {name}", seconds, "s") for name, seconds in first.items() if name != "own"]
    figures += [
        Figure("first start: the product's own share", first["own"], "s", OWN_LIMIT_S),
        Figure("second start: the product's own share", again["own"], "s", OWN_LIMIT_S),
    ]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
