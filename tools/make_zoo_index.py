"""Rewrites the index of the zoo: run it whenever a built-in network or scenario changes or is added.

python tools/make_zoo_index.py
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.contract.designs import canonical_json
from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.index import IndexLine, figures_of, write_index
from engines.workloads.loader import builtin_network, load_scenario


def index_lines() -> dict[str, IndexLine]:
    """Return slug -> line of every built-in workload, scenarios first, from the workloads themselves."""
    lines = {slug: IndexLine(figures_of(load_scenario(content)), "") for slug, content in builtin_scenarios().items()}
    for slug, content in builtin_networks().items():
        digest = hashlib.sha256(canonical_json(content).encode()).hexdigest()
        lines[slug] = IndexLine(figures_of(builtin_network(slug)), digest)
    return lines


if __name__ == "__main__":
    found = index_lines()
    write_index(found)
    print(f"{len(found)} workloads")
