"""What a web process remembers of runs by their number, which tests forget: the same number is another run in each."""

from __future__ import annotations

import sys
from typing import Any

# Modules that no test has imported yet remember nothing.
REMEMBERED = (
    ("frontend.pages.run.run_reader", "_designs._kept"),
    ("frontend.pages.run.run_reader", "_curves"),
    ("frontend.pages.run.run_reader", "_rows"),
    ("frontend.pages.run.run_reader", "_meanings"),
    ("frontend.designs.run_decisions", "_columns"),
    ("frontend.designs.run_decisions", "_values"),
    ("webapp.runs.results.readers", "_decision_texts"),
    ("frontend.live.points", "_parts"),
    ("frontend.pages.home.data", "_sparks"),
    ("frontend.pages.home.data", "_ended"),
    ("frontend.pages.compare.measures", "_kept"),
    ("webapp.studies.values", "_known"),
    ("webapp.studies.fronts", "_kept"),
)


def forget_runs() -> None:
    """Nothing of any run is remembered."""
    for module, path in REMEMBERED:
        if module in sys.modules:
            remembered: Any = sys.modules[module]
            for name in path.split("."):
                remembered = getattr(remembered, name)
            remembered.clear()
