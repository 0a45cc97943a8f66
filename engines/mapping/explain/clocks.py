"""Clocks in words and tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.results import Table, TableColumn
from hardware.soc.summary import unit_title


def settings_table(at: Mapping[str, float]) -> Table:
    """Return the clocks of one setting (name -> Hz)."""
    names = tuple(at)
    return Table(
        name="clocks",
        title="Clocks",
        table_columns=(
            TableColumn("Clock", tuple(clock_title(name) for name in names)),
            TableColumn("Frequency", np.array([at[name] for name in names]), "Hz"),
        ),
    )


def clock_title(name: str) -> str:
    """Return the title of a clock for pages."""
    return "Memory" if name == "memory" else unit_title(name)
