"""The baselines of SCAR (odema-2024 section 4.5.1): the same package with all chiplets of one dataflow.

- Simba: every model may use several chiplets per window, searched by the same greedy method;
- standalone: every model on one chiplet of its own, all at the same time, one window.
"""

from __future__ import annotations

from engines.chiplets.problem.decision import STANDALONE_PREFIX, PackageSchedule, Placement
from engines.chiplets.problem.starts import interface_chiplets
from engines.chiplets.problem.tables import ScenarioTables
from engines.search.matching import match
from hardware.package.model import DATAFLOWS, ChipletPackage
from hardware.package.summary import DATAFLOW_TITLES


def baseline_label(layout: str) -> str:
    """Return the label of a baseline: "Simba NVDLA", "Standalone Shi-diannao"."""
    dataflow = layout.removeprefix(STANDALONE_PREFIX)
    kind = "Standalone" if layout.startswith(STANDALONE_PREFIX) else "Simba"
    return f"{kind} {DATAFLOW_TITLES[dataflow]}"


def other_packages(package: ChipletPackage) -> dict[str, str]:
    """Return label of each baseline -> its package in words; not of those whose package is `package` itself."""
    return {
        baseline_label(layout): f"package of {DATAFLOW_TITLES[dataflow]} chiplets alone"
        for dataflow in DATAFLOWS
        if any(chiplet.dataflow != dataflow for chiplet in package.chiplets)
        for layout in (dataflow, STANDALONE_PREFIX + dataflow)
    }


def standalone_schedule(tables: ScenarioTables, dataflow: str) -> PackageSchedule | None:
    """Return each model wholly on one chiplet, chiplets with an interface first; None if models cannot have a chiplet each."""
    near = interface_chiplets(tables)
    order = [*sorted(near), *(c for c in range(tables.chiplets) if c not in near)]
    found = match([[c for c in order if c in allowed] for allowed in tables.allowed]).item
    window = tuple(
        Placement(m, 0, (tables.models[m].layers,), (chiplet,))
        for m, chiplet in enumerate(found)
        if chiplet is not None
    )
    return PackageSchedule((window,), STANDALONE_PREFIX + dataflow) if len(window) == len(found) else None
