"""`make up ONCE=1` on fresh data: seconds per phase, the product's own share, and when the first run was finished.

From this checkout's environment: installations are not part of these figures; `make up` prints them where it makes some.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import Figure, show

ROOT = Path(__file__).resolve().parent.parent
OWN_LIMIT_S = 8.6
FIRST_RUN = "to the first finished run"


def measure(folder: Path) -> dict[str, float]:
    """Return the seconds per phase of a start on data in `folder`, empty on the first call, and to the first finished run.

    The latter from the start of the command, installations included; from this checkout's environment there are none.
    """
    timings = folder / "timings.json"
    command = [sys.executable, "tools/up.py", "--once", "--no-torch", "--timings", str(timings)]
    begun = datetime.now(UTC)
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
    with closing(sqlite3.connect(folder / "paretoscope.sqlite3")) as database:
        (finished,) = database.execute("SELECT min(finished) FROM runs_run WHERE status = 'done'").fetchone()
    return seconds | {FIRST_RUN: (datetime.fromisoformat(finished).replace(tzinfo=UTC) - begun).total_seconds()}


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        first, again = measure(Path(folder)), measure(Path(folder))
    told = {name: seconds for name, seconds in first.items() if name != "own"}
    figures = [Figure(f"first start: {name}", seconds, "s") for name, seconds in told.items()]
    figures += [
        Figure("first start: the product's own share", first["own"], "s", OWN_LIMIT_S),
        Figure("second start: the product's own share", again["own"], "s", OWN_LIMIT_S),
    ]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
