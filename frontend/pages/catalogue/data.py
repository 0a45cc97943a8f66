"""The entries of the catalogue: hardware and workloads with the figures that they are filtered by. No components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.documents.families import families, family_of
from engines.workloads.index import figures_of, read_index
from engines.workloads.network import Network, Scenario
from engines.workloads.tasks import task_of
from frontend.figures.hardware.soc_diagram import unit_finish
from frontend.figures.numbers import si
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.drafts import dataflow_counts, dataflows_by_row
from frontend.theme import hardware_style
from hardware.package.family import PACKAGE
from hardware.package.model import ChipletPackage
from hardware.soc.family import SOC
from hardware.soc.model import Soc
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal

PARTS, UNREAD = "Parts", "Other"
NETWORK, SCENARIO = "Network", "Scenario"
# Name -> least and largest MACs of one pass.
WORK: Mapping[str, tuple[float, float]] = {
    "below 100 M": (0, 1e8),
    "100 M to 1 G": (1e8, 1e9),
    "1 G to 10 G": (1e9, 1e10),
    "10 G to 100 G": (1e10, 1e11),
    "100 G and more": (1e11, float("inf")),
}


@dataclass(frozen=True)
class HardwareItem:
    """A hardware document in the list.

    Attributes:
        group: one of `hardware_groups`.
        kinds: dataflows of its chiplets, or kinds of its units.
        sizes: processing elements of its chiplets.
        layout: rows of dataflows, for the thumbnail; for a system on a chip one row of its units' kinds.
        facts: a few words each.
    """

    entry: DocumentEntry
    group: str
    kinds: tuple[str, ...]
    sizes: tuple[int, ...]
    layout: tuple[tuple[str, ...], ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class WorkloadItem:
    """A workload document in the list; figures of one pass, of a scenario of all its batches (None: not known).

    Attributes:
        profile: MACs along the layers, as in `WorkloadFigures`.
    """

    entry: DocumentEntry
    group: str
    task: str
    layers: int | None
    macs: float | None
    parameters: float | None
    activation_peak: float | None
    intensity: float | None
    profile: tuple[float, ...]


def hardware_groups() -> tuple[str, ...]:
    """Return the headings of the list of hardware, in order."""
    return (*(family.plural for family in families("hardware")), PARTS, UNREAD)


def hardware_items(principal: Principal) -> list[HardwareItem]:
    """Return all hardware that `principal` sees, packages first."""
    items = [hardware_item(entry) for entry in list_documents(principal, "hardware")]
    return sorted(items, key=lambda item: hardware_groups().index(item.group))


def workload_items(principal: Principal) -> list[WorkloadItem]:
    """Return all workloads that `principal` sees."""
    return [workload_item(entry) for entry in list_documents(principal, "workload")]


def hardware_item(entry: DocumentEntry) -> HardwareItem:
    """Return one hardware document as the list shows it."""
    value = loaded(entry)
    if isinstance(value, ChipletPackage):
        return _package_item(entry, value)
    if isinstance(value, Soc):
        return _soc_item(entry, value)
    group = UNREAD if value is None else family_of(entry.content).plural
    return HardwareItem(entry, group, (), (), (), (entry.summary,))


def _package_item(entry: DocumentEntry, package: ChipletPackage) -> HardwareItem:
    sizes = tuple(sorted({chiplet.processing_elements for chiplet in package.chiplets}))
    kinds = tuple(dict.fromkeys(chiplet.dataflow for chiplet in package.chiplets))
    facts = (dataflow_counts(package), " or ".join(map(str, sizes)) + " PE", si(package.clock_hz, "Hz"))
    return HardwareItem(entry, PACKAGE.plural, kinds, sizes, dataflows_by_row(package), facts)


def _soc_item(entry: DocumentEntry, soc: Soc) -> HardwareItem:
    kinds = tuple(dict.fromkeys(unit.kind for unit in soc.units.values()))
    squares = tuple(unit_finish(unit.kind) for unit in soc.units.values() for _ in range(unit.count))
    group = SOC.plural if soc.units else PARTS
    return HardwareItem(entry, group, kinds, (), (squares,) if squares else (), (entry.summary,))


def workload_item(entry: DocumentEntry) -> WorkloadItem:
    """Return one workload document as the list shows it; built-in networks are not read for it."""
    group = SCENARIO if entry.schema.startswith("scenario/") else NETWORK
    line = read_index().get(entry.slug) if entry.builtin else None
    value = None if line else loaded(entry)
    found = line.figures if line else figures_of(value) if isinstance(value, Network | Scenario) else None
    if found is None:
        return WorkloadItem(entry, group, task_of(entry.content), None, None, None, None, None, ())
    return WorkloadItem(
        entry,
        group,
        task_of(entry.content),
        found.layers,
        found.macs,
        found.parameters,
        found.activation_peak_bytes,
        found.intensity_macs_per_byte,
        found.profile,
    )


# -- search and filters -----------------------------------------------------------------------------------------------


def matches(entry: DocumentEntry, query: str, *more: str) -> bool:
    """Return whether name, title or summary (or `more` words) hold every word of the query."""
    text = " ".join([entry.name, entry.title, entry.summary, str(entry.content.get("summary", "")), *more]).lower()
    return all(word in text for word in query.lower().split())


def filtered_hardware(items: Iterable[HardwareItem], query: str, filters: Mapping[str, Any]) -> list[HardwareItem]:
    """Return the items that match the words and every filter that is set ("group", "dataflow", "elements")."""

    def kept(item: HardwareItem) -> bool:
        group, dataflow, elements = (filters.get(name) for name in ("group", "dataflow", "elements"))
        labels = [hardware_style(kind).label for kind in item.kinds]
        return (
            (not group or item.group == group)
            and (not dataflow or dataflow in item.kinds)
            and (not elements or str(elements) in map(str, item.sizes))
            and matches(item.entry, query, item.group, *labels, *item.facts)
        )

    return [item for item in items if kept(item)]


def filtered_workloads(items: Iterable[WorkloadItem], query: str, filters: Mapping[str, Any]) -> list[WorkloadItem]:
    """Return the items that match the words and every filter that is set ("group", "task", "work")."""

    def kept(item: WorkloadItem) -> bool:
        group, task, work = (filters.get(name) for name in ("group", "task", "work"))
        low, high = WORK.get(str(work), (0.0, float("inf")))
        return (
            (not group or item.group == group)
            and (not task or item.task == task)
            and (not work or (item.macs is not None and low <= item.macs < high))
            and matches(item.entry, query, item.task, item.group)
        )

    return [item for item in items if kept(item)]


def address_of(entry: DocumentEntry) -> str:
    """Return the page of a document."""
    return f"/catalogue/{entry.kind}/{entry.name}"
