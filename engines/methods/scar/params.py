"""Parameters of the SCAR engine."""

from __future__ import annotations

from engines.chiplets.params import ScheduleParams
from engines.contract.parameter_fields import for_experts, switch, text
from engines.search.search_fields import evaluations_field

LONGEST_SCHEDULES = 60_000  # characters


class ScarParams(ScheduleParams):
    """Schedules, and how many are scored."""

    evaluations: int = evaluations_field(
        4200, (100, 1_000_000), "schedules", "Number of complete schedules to evaluate, with the baselines."
    )
    baselines: bool = switch(
        True,
        "Baselines",
        "Search",
        "Also schedule on homogeneous packages of each dataflow and with one chiplet per model.",
    )
    own_schedules: str = for_experts(
        text(
            "",
            "Schedules of your own",
            "Search",
            "Schedules to compare with the search: one decision as JSON (see *Evaluate your own design*), or a list "
            "of decisions.",
            longest=LONGEST_SCHEDULES,
        )
    )
