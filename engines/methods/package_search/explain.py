"""The results of one design: the package and its silicon, then its schedule as SCAR shows one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.explain import explain_schedule
from engines.chiplets.problem.decision import PackageSchedule
from engines.contract.results import CATALOGUE, Breakdown, Note, Result, Table, TableColumn
from engines.cost.package.area import PARTS, area_data, package_area_parts_mm2
from engines.methods.package_search.packages.candidate import Candidate, layout_text
from engines.methods.package_search.packages.document import package_yaml
from hardware.package.model import ChipletPackage
from hardware.package.summary import summarise

GOAL_WORDS = {"edp": "EDP", "latency": "latency", "energy": "energy"}


def explain_design(
    content: Mapping[str, Any],
    candidate: Candidate,
    goal: str,
    schedule: PackageSchedule,
    scorer: Scorer,
    money: tuple[Result, ...] = (),
) -> tuple[Result, ...]:
    """Return all results of one design.

    Args:
        content: document of the given package.
        candidate: the package.
        goal: objective of the schedule; "" if unknown.
        schedule: the schedule.
        scorer: scorer of the package.
        money: cost model of the package.
    """
    package = scorer.tables.package_model.package
    return (
        *explain_schedule(scorer.tables, schedule, scorer),
        area_breakdown(package),
        *money,
        package_table(package, candidate),
        *_goal_note(goal),
        area_note(package),
        document_note(content, candidate),
    )


def area_breakdown(package: ChipletPackage) -> Breakdown:
    """Return the silicon of every chiplet by part; adds up to `area_mm2`."""
    return Breakdown(
        name="area",
        title="Silicon area by chiplet",
        bars=tuple(f"C{chiplet.index}" for chiplet in package.chiplets),
        parts=PARTS,
        values=package_area_parts_mm2(package),
        unit="mm²",
    )


def package_table(package: ChipletPackage, candidate: Candidate) -> Table:
    """Return the layout and figures of the package."""
    rows = [("Layout, from the top", layout_text(package, candidate), "")]
    rows += [(row.title, _text(row.value), row.unit) for row in summarise(package)]
    titles, values, units = zip(*rows, strict=True)
    texts = tuple(f"{value} {unit}".strip() for value, unit in zip(values, units, strict=True))
    return Table("package", "Package", (TableColumn("Figure", titles), TableColumn("Value", texts)))


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def document_note(content: Mapping[str, Any], candidate: Candidate) -> Note:
    """Return the package as YAML: what the engine scar and the catalogue take as hardware."""
    text = package_yaml(content, candidate)
    return Note(
        "hardware.yaml", "This package as a hardware document (YAML)", text, role="document", belongs_to=CATALOGUE
    )


def area_note(package: ChipletPackage) -> Note:
    """Return the note on the source of the silicon area and its unknown parts."""
    node = area_data()["process_node_nm"]
    text = (
        f"Silicon area is fitted to published NVDLA areas in {node} nm: rows agree within 8 %. The buffers "
        "and compute of the TPU were not fitted and agree within 9 %. Memory interfaces count as in a die "
        "of DDR3 times and may be several times smaller today. The dataflow of a chiplet does not change "
        "its area."
    )
    if package.process_node_nm != node:
        text += f" {package.process_node_nm:g} nm: chiplets by the square of the node, which nothing here checks."
        return Note("area-model", "Silicon area", text, "warning")
    return Note("area-model", "Silicon area", text)


def _goal_note(goal: str) -> tuple[Note, ...]:
    if not goal:
        return ()
    return (Note("goal", "Schedule", f"The schedule is the best one found for this package by {GOAL_WORDS[goal]}."),)
