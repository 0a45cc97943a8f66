"""Microcontrollers by the tasks of MLPerf Tiny: cycles and energy per multiply-accumulate of systems and tasks.

The logarithm of cycles (or joules) per MAC is that of the system plus that of the task with the same software, as medians of their
table. A task that was not measured counts as the keyword network, whose convolutions it shares. A system that was not measured has
the cycles of others with the same core and software, else with the same core; joules likewise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from statistics import median

from engines.survey.measurements.fits import band_of
from engines.survey.measurements.rows import MeasuredRow, table_rows
from engines.workloads.index import read_index

SOURCE = "mlcommons/tiny_results"
_USUAL_TASK = "mlperf-tiny-kws"
_CLOCK = re.compile(r"([\d.]+) ?(MHz|GHz)")
_HERTZ = {"MHz": 1e6, "GHz": 1e9}
_CORE = re.compile(r"Cortex\W*-?(M\d+\+?)", re.ASCII)
_SYSTEM = re.compile(r"submitter ([^;]*); system ([^;]*)")
_ROUNDS = 8
_LEAST_SYSTEMS = 2


@dataclass(frozen=True)
class _Cell:
    """A measurement of one task on one system: logarithm of cycles or joules per MAC."""

    system: str
    task: str
    core: str
    software: str
    value: float


@dataclass(frozen=True)
class TinyEstimate:
    """An estimate of a task on a microcontroller.

    Attributes:
        value: seconds or joules of an inference.
        band: factor up or down that holds for 90 % of cells left out.
        band_of: "systems" where the system was measured on another task, else "systems without measurements".
        words: source in words.
    """

    value: float
    band: float
    band_of: str
    words: str


def is_tiny(row: MeasuredRow) -> bool:
    """Return whether a row is of a microcontroller in MLPerf Tiny with a clock to count cycles by."""
    return row.source.startswith(SOURCE) and row.quantity in ("latency", "energy") and bool(_CLOCK.search(row.unit))


def tiny_estimate(row: MeasuredRow) -> TinyEstimate | None:
    """Return the estimate of a row by the table of systems and tasks; None where its quantity was not measured."""
    cells = _cells(row.quantity)
    if not cells or not is_tiny(row):
        return None
    own = _cell(row)
    known = any(cell.system == own.system for cell in cells)
    predicted = _predicted(own, cells)
    ratios = _left_out_ratios(row.quantity, known)
    band_name = "systems" if known else "systems without measurements"
    words = f"{len(cells)} measurements of MLPerf Tiny; {'this system on other tasks' if known else 'other systems'}"
    return TinyEstimate(_value(row, predicted), band_of(ratios), band_name, words)


@cache
def _cells(quantity: str) -> tuple[_Cell, ...]:
    return tuple(
        _cell(row) for row in table_rows("mlperf_tiny") if not row.reason and is_tiny(row) and row.quantity == quantity
    )


@cache
def tiny_digests() -> frozenset[str]:
    """Return the digests of the rows of the tables."""
    return frozenset(row.digest for row in table_rows("mlperf_tiny") if not row.reason and is_tiny(row))


def left_out_errors(quantity: str, task: str) -> tuple[float, ...]:
    """Return predicted over measured value, less 1, of each system, from cells without this one."""
    cells = _cells(quantity)
    own = [cell for cell in cells if cell.task == task]
    return tuple(exp(_predicted(cell, [each for each in cells if each is not cell]) - cell.value) - 1 for cell in own)


def _cell(row: MeasuredRow) -> _Cell:
    system, core = _SYSTEM.search(row.note), _CORE.search(row.unit.replace("®", ""))
    name = " ".join(system.groups()) if system else f"{row.device} {row.runtime}"
    software = re.sub(r" (?:version )?v?[\d.]+$", "", row.runtime)
    per_mac = row.value / read_index()[row.network].figures.macs
    software += " fastest" if "max_perf" in name else ""
    value = log(per_mac * _clock_hz(row)) if row.quantity == "latency" else log(per_mac)
    return _Cell(f"{name} {row.unit}", row.network, core[1] if core else row.unit, f"{software} {row.precision}", value)


def _clock_hz(row: MeasuredRow) -> float:
    clock = _CLOCK.search(row.unit)
    return float(clock[1]) * _HERTZ[clock[2]] if clock else 1.0


def _value(row: MeasuredRow, per_mac: float) -> float:
    amount = exp(per_mac) * read_index()[row.network].figures.macs
    return amount / _clock_hz(row) if row.quantity == "latency" else amount


def _predicted(own: _Cell, cells: Sequence[_Cell]) -> float:
    tasks = _task_effects([cell for cell in cells if cell.software == own.software]) or _task_effects(cells)
    tasks = _task_effects(cells) | tasks
    task = tasks.get(own.task, tasks.get(_USUAL_TASK, 0.0))
    alike: tuple[Callable[[_Cell], bool], ...] = (
        lambda cell: cell.system == own.system,
        lambda cell: (cell.core, cell.software) == (own.core, own.software),
        lambda cell: cell.core == own.core,
        lambda cell: True,
    )
    for same in alike:
        if found := [cell.value - tasks.get(cell.task, 0.0) for cell in cells if same(cell)]:
            return median(found) + task
    return task


def _task_effects(cells: Sequence[_Cell]) -> dict[str, float]:
    """Return the logarithm of each task over the median of tasks, from systems with several; none with too few systems."""
    if len({cell.system for cell in cells}) < _LEAST_SYSTEMS:
        return {}
    tasks = dict.fromkeys(sorted({cell.task for cell in cells}), 0.0)
    for _ in range(_ROUNDS):
        systems = {name: median(_of(cells, tasks, name)) for name in {cell.system for cell in cells}}
        several = {name for name in systems if len({cell.task for cell in cells if cell.system == name}) > 1}
        for task in tasks:
            own = [cell.value - systems[cell.system] for cell in cells if cell.task == task and cell.system in several]
            tasks[task] = median(own) if own else 0.0
    return tasks


def _of(cells: Iterable[_Cell], tasks: dict[str, float], system: str) -> list[float]:
    return [cell.value - tasks[cell.task] for cell in cells if cell.system == system]


@cache
def _left_out_ratios(quantity: str, known: bool) -> tuple[float, ...]:
    """Return predicted over measured values, without the cell, or without its whole system."""
    cells = _cells(quantity)
    found = []
    for cell in cells:
        others = [each for each in cells if (each is not cell if known else each.system != cell.system)]
        if not known or any(each.system == cell.system for each in others):
            found.append(exp(_predicted(cell, others) - cell.value))
    return tuple(found)
