"""The rule for the chiplets on which a model may start (odema-2024 section 4.4), shared by all searches.

"We constrain the number of scheduling trees to chiplet nodes that satisfy either of the following two conditions: (i) chiplets
that maintain a direct link to an off-chip DRAM memory interface, (ii) ending chiplet positions from the preceding window."
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.chiplets.problem.tables import ScenarioTables
from hardware.package.summary import interfaces


def interface_chiplets(tables: ScenarioTables) -> frozenset[int]:
    """Return the chiplets with a direct off-chip interface."""
    return frozenset(interfaces(tables.package_model.package))


def start_chiplets(tables: ScenarioTables, ends: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the chiplets on which a model may start, ascending.

    Args:
        tables: the problem; `root_rule=free` allows every chiplet.
        ends: the last chiplet of each model in the window before; none before the first window.
    """
    if tables.params.root_rule == "free":
        return tuple(range(tables.chiplets))
    return tuple(sorted(interface_chiplets(tables) | set(ends)))
