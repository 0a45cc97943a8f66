"""A site anywhere: 200 pull workers at the same time."""

from __future__ import annotations

import sys

from benchmarks.pull_workers import pull_workers
from benchmarks.report import show

if __name__ == "__main__":
    sys.exit(show(pull_workers()))
