"""The report of a run at its end: the front of packages, how the search went, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import File
from engines.contract.integer_format import counted
from engines.contract.results import Curve, Note, Result, Series, Table, TableColumn
from engines.cost.package.area import fit_rows
from engines.methods.package_search.explain import GOAL_WORDS, area_note
from engines.methods.package_search.packages.candidate import Candidate, decode_candidate, layout_text
from engines.methods.package_search.packages.document import package_yaml
from engines.methods.package_search.packages.space import PackageSpace
from engines.methods.package_search.params import OBJECTIVE_COLUMNS, PackageSearchParams, objective_columns
from engines.methods.package_search.quantities import CHOICE, QUANTITIES
from engines.methods.package_search.search.exhaustive import RankedPackages
from engines.methods.package_search.search.progress import Progress
from hardware.package.model import ChipletPackage

_MOST_ROWS = 200
_MOST_FILES = 60
_SAME = 1e-9
_YAML = "application/yaml"


def front_of(designs: Designs, params: PackageSearchParams) -> IntArray:
    """Return the numbers of the non-dominated designs of the search, by the first objective, shape `k`."""
    front = designs.front(CHOICE.roles(QUANTITIES, params))
    return front[np.argsort(designs.columns[objective_columns(params)[0]][front], kind="stable")]


def run_results(
    space: PackageSpace,
    designs: Designs,
    front: IntArray,
    progress: Progress,
    ranked: RankedPackages | None,
    notes: Sequence[str],
) -> tuple[Result, ...]:
    """Return the tables and notes for the end of a run; `ranked` where all packages have bounds."""
    base = space.base
    different, shared = _different_points(designs, front)
    title = "Front of packages, each with its best schedule"
    results: list[Result] = [_design_table("front", title, base, designs, different[:_MOST_ROWS], shared[:_MOST_ROWS])]
    baselines = np.flatnonzero(designs.of_origin("baseline"))
    if len(baselines):
        results.append(_design_table("baselines", "Baselines", base, designs, baselines))
    if len(front):
        results.append(_by_nvdla_chiplets(space, designs, ranked))
    results += [_search_table(space, progress), _area_fit_table()]
    if len(different) > _MOST_ROWS:
        notes = [*notes, f"The table shows {_MOST_ROWS} of {counted(len(different))} points of the front."]
    unused = int((designs.columns["unused_chiplets"][different] > 0).sum())
    if unused:
        notes = [*notes, _unused_words(unused, len(different))]
    if notes:
        results.append(Note("search-notes", "Search", " ".join(notes)))
    return (*results, area_note(base))


def _unused_words(unused: int, points: int) -> str:
    return (
        f"{unused} of {points} trade-offs on the front have chiplets that no model uses. Their dataflow "
        "only changes where time windows are cut, because Algorithm 1 weighs layers by all chiplets of a "
        "package."
    )


def front_files(
    content: Mapping[str, Any], base: ChipletPackage, designs: Designs, front: IntArray
) -> tuple[File, ...]:
    """Return the packages of the front (numbers of designs, shape `k`) as documents, named by the first design of each."""
    files: dict[Candidate, File] = {}
    for number in _different_points(designs, front)[0].tolist():
        candidate = _candidate(base, designs, number)
        if candidate not in files and len(files) < _MOST_FILES:
            text = package_yaml(content, candidate)
            files[candidate] = File(f"packages/design-{number}.yaml", _YAML, text.encode())
    return tuple(files.values())


def _candidate(base: ChipletPackage, designs: Designs, number: int) -> Candidate:
    return decode_candidate(designs.decisions[number]["package"], len(base.chiplets))


def _different_points(designs: Designs, front: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first design of each point of the front, up to rounding, and how many designs share that point.

    Shape `points` each.
    """
    points = designs.matrix(OBJECTIVE_COLUMNS.values())[front]
    first: list[int] = []
    shared: list[int] = []
    for number, point in enumerate(points):
        same = [
            k
            for k, other in enumerate(first)
            if np.allclose(points[other], point, rtol=_SAME, atol=0.0, equal_nan=True)
        ]
        if same:
            shared[same[0]] += 1
        else:
            first.append(number)
            shared.append(1)
    return front[np.array(first, dtype=np.int64)], np.array(shared, dtype=np.int64)


def _design_table(
    name: str,
    title: str,
    base: ChipletPackage,
    designs: Designs,
    numbers: IntArray,
    shared: IntArray | None = None,
) -> Table:
    candidates = [_candidate(base, designs, number) for number in numbers.tolist()]
    labels = tuple(designs.label[number] or f"Design {number}" for number in numbers.tolist())
    goals = tuple(GOAL_WORDS.get(designs.decisions[number]["goal"], "") for number in numbers.tolist())

    priced = bool(np.isfinite(designs.columns["cost_usd"][numbers]).any())

    def column(title: str, key: str, unit: str = "") -> TableColumn:
        return TableColumn(title, designs.columns[key][numbers], unit)

    return Table(
        name,
        title,
        (
            TableColumn("Design", labels),
            *(() if shared is None else (TableColumn("Designs as good", shared.astype(np.float64)),)),
            TableColumn("Layout", tuple(layout_text(base, candidate) for candidate in candidates)),
            column("EDP", "edp_js", "J·s"),
            column("Silicon area", "area_mm2", "mm²"),
            *((column("Cost of a system", "cost_usd", "USD"),) if priced else ()),
            column("Latency", "latency_s", "s"),
            column("Energy", "energy_j", "J"),
            TableColumn("Scheduled by", goals),
            column("PEs in all", "processing_elements"),
            column("Link", "link_gb_per_s", "GB/s"),
            column("All memory", "memory_gb_per_s", "GB/s"),
            TableColumn("Interfaces", tuple("+".join(candidate.interface_sides) for candidate in candidates)),
            column("Unused chiplets", "unused_chiplets"),
        ),
    )


def _by_nvdla_chiplets(space: PackageSpace, designs: Designs, ranked: RankedPackages | None) -> Curve:
    """Return the least energy-delay product with 0, 1, 2 ..

    NVDLA chiplets: what was found, and where all packages have bounds, those.

    Packages that bounds rule out were not scheduled: what was found alone would mislead.
    """
    counts = np.arange(len(space.base.chiplets) + 1)
    searched = designs.of_origin("search")
    found = _least_by_count(counts, designs.columns["nvdla_chiplets"][searched], designs.columns["edp_js"][searched])
    series = [Series("Found", found, "J·s")]
    if ranked is not None:
        own = [space.candidate(genotype).dataflows.count("nvdla") for genotype, _ in ranked.packages]
        bounds = np.array([bound.least_edp_js for _, bound in ranked.packages])
        series.append(Series("Lower bound of all packages", _least_by_count(counts, np.array(own), bounds), "J·s"))
    present = np.isfinite([one.y for one in series]).any(axis=0)
    return Curve(
        "by-nvdla-chiplets",
        "Least energy-delay product by number of NVDLA chiplets",
        counts[present].astype(np.float64),
        "NVDLA chiplets",
        "",
        tuple(Series(one.title, one.y[present], one.unit) for one in series),
    )


def _least_by_count(counts: IntArray, own: npt.NDArray[Any], values: FloatArray) -> FloatArray:
    least = np.full(len(counts), np.nan)
    for count in counts[np.isin(counts, own)]:
        least[count] = values[own == count].min()
    return least


def _search_table(space: PackageSpace, progress: Progress) -> Table:
    cannot_run = progress.cannot_run + progress.dead_ends
    left = space.count() - progress.beyond_limits - cannot_run - progress.pruned - progress.scheduled
    rows = (
        ("Packages, symmetric ones counted apart", space.labelled()),
        ("Packages up to symmetry", space.count()),
        ("Beyond the limits", progress.beyond_limits),
        ("Workload cannot run", cannot_run),
        ("Ruled out by bounds", progress.pruned),
        ("Scheduled", progress.scheduled),
        ("Not evaluated", max(0, left)),
        ("Schedules searched, baselines included", progress.evaluations),
        ("Schedules left out: could not reach the front", progress.skipped),
        ("Partial mappings evaluated", progress.states),
        ("Windows searched", progress.windows),
        ("of them proven optimal", progress.proven),
    )
    titles, values = zip(*rows, strict=True)
    return Table("search", "Search", (TableColumn("What", titles), TableColumn("Count", np.array(values, dtype=float))))


def _area_fit_table() -> Table:
    rows = fit_rows()
    return Table(
        "area-fit",
        "Silicon area: published and computed",
        (
            TableColumn("Accelerator", tuple(row.title for row in rows)),
            TableColumn("Published", np.array([row.published_mm2 for row in rows]), "mm²"),
            TableColumn("Ours", np.array([row.ours_mm2 for row in rows]), "mm²"),
            TableColumn("Computed over published", np.array([row.error_percent for row in rows]), "%"),
        ),
    )
