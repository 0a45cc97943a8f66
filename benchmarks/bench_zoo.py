"""The zoo of workloads: listing it, opening one network, reading all of it; milliseconds of processor time."""

from __future__ import annotations

import sys
import time

import django

from benchmarks.report import Figure, show
from engines.workloads.builtins import builtin_networks
from engines.workloads.layer_table import layer_rows
from engines.workloads.loader import builtin_network

LIMIT_MS = 50.0


def listing_ms() -> tuple[float, int]:
    """Return every built-in workload as the catalogue's list shows it, the first time in this process; and how many there are."""
    from frontend.pages.catalogue.data import workload_item
    from webapp.catalogue.service import builtin_entries

    begun = time.process_time()
    items = [workload_item(entry) for entry in builtin_entries("workload")]
    return (time.process_time() - begun) * 1e3, len(items)


def opening_ms() -> dict[str, float]:
    """Return slug -> the layer table of a network, from its table or its definition on."""
    found = {}
    for slug in builtin_networks():
        begun = time.process_time()
        layer_rows(builtin_network(slug))
        found[slug] = (time.process_time() - begun) * 1e3
    return found


def main() -> int:
    """Print the figures."""
    django.setup()
    total, count = listing_ms()
    opened = opening_ms()
    slowest = max(opened, key=opened.__getitem__)
    figures = [
        Figure(f"list of {count} workloads, first in a process", total, "ms"),
        Figure("of that, one workload", total / count, "ms", LIMIT_MS),
        Figure(f"layer table of the slowest network ({slowest})", opened[slowest], "ms"),
        Figure(f"layer tables of all {len(opened)} networks", sum(opened.values()), "ms"),
    ]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
