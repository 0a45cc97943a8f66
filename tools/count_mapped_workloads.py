"""Write how many built-in workloads can be mapped on each built-in system on a chip into docs/soc-cost-model.md.

python tools/count_mapped_workloads.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.contract.errors import EngineError
from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.problem.instance import instance_of
from hardware.soc.loader import builtin_socs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "soc-cost-model.md"
_TABLE = re.compile(r"(<!-- mapped workloads -->\n).*?(<!-- end -->)", re.DOTALL)
# Values of the parameter `unmeasured`, and the units that have a cost model under each.
CHOICES = {
    "refused": "measured, or computed by dataflow",
    "assumed": "operations estimated like others (`assumed`)",
    "datasheet": "units too (`datasheet`)",
}


def is_mapped(device: str, workload: str, unmeasured: str) -> bool:
    """Return whether the device has units with costs for the whole workload, at its highest clocks."""
    inputs = {"hardware": get_builtin("hardware", device), "workload": get_builtin("workload", workload)}
    try:
        instance_of(make_problem("soc-mapping", inputs, {"unmeasured": unmeasured}), highest_clocks_alone=True)
    except EngineError:
        return False
    return True


def page_with_counts(text: str) -> str:
    """Return a page with its table of counts as it must be: a row per device."""
    workloads = tuple(builtin_documents("workload"))
    rows = [(f"device, of {len(workloads)} workloads", *CHOICES.values()), ("---", *["---:"] * len(CHOICES))]
    for device in builtin_socs():
        counts = [sum(is_mapped(device, slug, choice) for slug in workloads) for choice in CHOICES]
        rows.append((f"`{device}`", *map(str, counts)))
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return _TABLE.sub(lambda block: f"{block[1]}{table}{block[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page_with_counts(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
