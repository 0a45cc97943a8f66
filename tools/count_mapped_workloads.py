"""Prints how many built-in workloads can be mapped on each built-in system on a chip: the table of docs/soc-cost-model.md.

python tools/count_mapped_workloads.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.contract.errors import EngineError
from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.problem.instance import instance_of
from hardware.soc.loader import builtin_socs

# Values of the parameter `unmeasured`, and what there is a cost model for under each.
CHOICES = {"refused": "measured, or by dataflow", "assumed": "operations estimated", "datasheet": "units too"}


def is_mapped(device: str, workload: str, unmeasured: str) -> bool:
    """Whether the device has units with costs for the whole workload, at its highest clocks."""
    inputs = {"hardware": get_builtin("hardware", device), "workload": get_builtin("workload", workload)}
    try:
        instance_of(make_problem("soc-mapping", inputs, {"unmeasured": unmeasured}), highest_clocks_alone=True)
    except EngineError:
        return False
    return True


def main() -> None:
    """A line per device."""
    workloads = tuple(builtin_documents("workload"))
    print(f"Of {len(workloads)} workloads: {'; '.join(CHOICES.values())}")
    for device in builtin_socs():
        counts = [sum(is_mapped(device, slug, choice) for slug in workloads) for choice in CHOICES]
        print(f"{device}: {'; '.join(map(str, counts))}", flush=True)


if __name__ == "__main__":
    main()
