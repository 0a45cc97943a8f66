"""Run every `bench_*.py` beside this file, each in a process of its own, and say on which machine.

`bench.py` runs all, `bench.py pages up` only those. Status 0: every limit kept; 3: one is not; 1: a benchmark failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.report import machine  # noqa: E402

OVER_A_LIMIT = 3


def benchmarks(wanted: list[str]) -> list[Path]:
    """Return the files to run, in the order of their names."""
    found = {path.stem.removeprefix("bench_"): path for path in sorted(Path(__file__).parent.glob("bench_*.py"))}
    unknown = set(wanted) - set(found)
    if unknown:
        raise SystemExit(f"No benchmark {', '.join(sorted(unknown))}. There are: {', '.join(found)}")
    return [path for name, path in found.items() if not wanted or name in wanted]


def main() -> int:
    """Run what the command line names."""
    print(machine(), flush=True)
    statuses = []
    for path in benchmarks(sys.argv[1:]):
        print(f"{path.stem}:", flush=True)
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "webapp.site.settings"}
        status = subprocess.run([sys.executable, str(path)], cwd=ROOT, env=variables, check=False).returncode
        statuses.append(status)
        if status not in (0, OVER_A_LIMIT):
            print(f"  failed with status {status}", flush=True)
    if any(status not in (0, OVER_A_LIMIT) for status in statuses):
        return 1
    return max(statuses, default=0)


if __name__ == "__main__":
    sys.exit(main())
