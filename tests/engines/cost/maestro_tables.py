"""The rows of `tests/data/maestro`, for tests and for `benchmarks/bench_cost.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from engines.cost.dataflow.maestro_agreement import COMPARABLE, MaestroRows

__all__ = ["COMPARABLE", "DATA", "Rows"]

DATA = Path(__file__).parents[2] / "data" / "maestro"


class Rows(MaestroRows):
    """Rows of the tables of this folder."""

    @classmethod
    def read(cls, *names: str | Path) -> Self:
        """The rows of the files of those names."""
        return super().read(*(DATA / name for name in names))
