"""Which workloads of the catalogue run on which devices."""

from __future__ import annotations

from engines.contract.errors import EngineError
from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.instance import instance_of
from hardware.soc.loader import builtin_socs


def coverage(choice: str) -> dict[str, tuple[int, int]]:
    """Built-in device -> how many built-in workloads can be mapped there, and how many there are.

    Args:
        choice: of the parameter `unmeasured`.
    """
    workloads = tuple(builtin_documents("workload"))
    return {
        device: (sum(_runs(device, slug, choice) for slug in workloads), len(workloads)) for device in builtin_socs()
    }


def _runs(device: str, workload: str, choice: str) -> bool:
    inputs = {"hardware": get_builtin("hardware", device), "workload": get_builtin("workload", workload)}
    try:
        instance_of(make_problem("soc-mapping", inputs, {"unmeasured": choice}), highest_clocks_alone=True)
    except EngineError:
        return False
    return True
