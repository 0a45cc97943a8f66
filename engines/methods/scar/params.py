"""Parameters of the SCAR engine."""

from __future__ import annotations

from engines.chiplets.params import ScheduleParams
from engines.contract.parameter_fields import number, switch


class ScarParams(ScheduleParams):
    """Schedules, and how many are scored."""

    evaluations: int = number(
        4200,
        (100, 1_000_000),
        "schedules",
        "Evaluations",
        "Search",
        "Complete schedules that are scored, baselines included.",
    )
    baselines: bool = switch(
        True,
        "Baselines",
        "Search",
        "Also schedule on homogeneous packages of each dataflow and with one chiplet per model.",
    )
