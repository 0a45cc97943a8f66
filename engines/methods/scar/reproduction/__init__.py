"""Published results of SCAR beside ours, under each reading of what the text leaves open.

Published: `published.yaml`, from two publications that are compared apart. Ours: the engine on the built-in packages and
their baselines. Nothing is fitted: compute is counted by closed forms after MAESTRO (`engines/cost/dataflow.py`), and the
paper's own mappings are not published.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from engines.contract.engine import Executor
from engines.methods.scar.reproduction import rows as base
from engines.methods.scar.reproduction.ablation_tables import ablations, article
from engines.methods.scar.reproduction.rows import ANY_NUMBER, DEFAULT_READING, NOTHING, Group, Look, Rows
from engines.methods.scar.reproduction.runs import Case, Outcome, run_all
from engines.methods.scar.reproduction.scenarios import datacentre, extended_reality, fourth
from engines.methods.scar.reproduction.windows import totals_of_table, window_table
from engines.reproduction.reproductions import Part

READINGS: Mapping[str, str] = MappingProxyType({name: reading.words for name, reading in base.READINGS.items()})
ENGINES = ("scar",)
HEADLINE = "Scenario 4, EDP: Simba NVDLA over Het-Sides"
_THESIS: Mapping[str, Group] = {
    "datacentre": datacentre,
    "AR/VR": extended_reality,
    "windows, packing and 6 x 6": ablations,
    "Table 4.3": window_table,
}
_FOURTH: Mapping[str, Group] = {"scenario 4": fourth}


def parts(quick: bool) -> tuple[Part[Any], ...]:
    """Who wins, and by how much; `quick`: the thesis under the default reading alone."""
    groups = _THESIS if quick else {**_THESIS, "Table IV of the article": article}
    known: dict[Case, Outcome] = {}  # parts look at the same runs
    found: list[Part[Any]] = [
        _part(reading, title, group, known)
        for reading in ((DEFAULT_READING,) if quick else READINGS)
        for title, group in (_FOURTH if reading == ANY_NUMBER else groups).items()
    ]
    rules = Part("Rules of Table 4.3", lambda _: None, lambda _: totals_of_table(), None)
    return (*found, rules)


def _part(reading: str, title: str, group: Group, known: dict[Case, Outcome]) -> Part[Look]:
    def rows(look: Look) -> Any:
        return group(Rows(reading, look))

    return Part(f"{title}, {reading}", partial(_compute, rows, known), rows, _nothing)


def _compute(rows: Any, known: dict[Case, Outcome], executor: Executor) -> Look:
    """Run what the rows look at, as far as it is not known yet."""
    wanted: list[Case] = []

    def note(case: Case) -> Outcome:
        wanted.append(case)
        return NOTHING

    for _ in rows(note):
        pass
    known.update(run_all([case for case in wanted if case not in known], executor))
    return known.__getitem__


def _nothing(_: Case) -> Outcome:
    return NOTHING
