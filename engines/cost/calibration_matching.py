"""Measured lines as rows of networks: which operations each is of, and which lines are of none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from engines.contract.errors import ProblemError
from engines.cost.calibration_estimates import Networks
from engines.cost.calibration_files import LayerMeasurement
from engines.cost.calibration_measurements import MeasuredRow
from engines.cost.soc_operations import operation_table
from engines.workloads.network import Network
from hardware.calibration.model import WHOLE_NETWORK


@dataclass(frozen=True)
class UnmatchedLine:
    """A measured line that is not used.

    Attributes:
        line: of the file, from 1 on.
        name: what it says that it is of.
        folded: whether the network has it, as a part of the operation before or as nothing that moves data.
        nearest: an operation of the network whose name is alike, "" where none is.
    """

    line: int
    name: str
    latency_ms: float
    folded: bool
    nearest: str = ""


@dataclass(frozen=True)
class MatchedRows:
    """Measured lines as rows of a network.

    Attributes:
        rows: latencies, and energies where they were measured.
        unmatched: lines without any operation of the network that costs something: copies, reformatting, activations that
            are folded into the operation before.
    """

    rows: tuple[MeasuredRow, ...]
    unmatched: tuple[UnmatchedLine, ...] = ()


def match_rows(
    measured: Iterable[LayerMeasurement],
    networks: Networks,
    *,
    workload: str = "",
    unit: str = "",
    clocks_mhz: Mapping[str, float] | None = None,
    where: str = "own measurement",
    power_w: float | None = None,
) -> MatchedRows:
    """Measured lines as rows; names of operations are looked up in the network.

    Args:
        measured: lines of a file.
        networks: name -> network; rows carry its slug, for which it is asked later.
        workload: of lines that name none.
        unit: of lines that name none.
        clocks_mhz: of all lines; a line's own come first.
        where: the file, for the rows.
        power_w: mean power while the file was measured, for lines without energy.

    Raises:
        ProblemError: a line without workload or unit, or no line that names an operation.
    """
    rows: list[MeasuredRow] = []
    unmatched: list[UnmatchedLine] = []
    known: dict[str, _Names] = {}
    for line in measured:
        named, on = line.workload or workload, line.unit or unit
        _require(named, line, "workload")
        _require(on, line, "unit")
        if named not in known:
            known[named] = _Names.of(networks(named))
        own = known[named]
        names = tuple(name for name in line.layers if name in own.running)
        if line.layers and not names:
            unmatched.append(own.unmatched(line))
        elif line.latency_ms > 0:
            clocks = {**(clocks_mhz or {}), **line.clocks_mhz}
            if line.energy_mj is None and power_w:
                line = replace(line, energy_mj=power_w * line.latency_ms)
            rows += _rows(line, own.slug, on, names, clocks, where)
    _check_matched(rows, unmatched, workload)
    return MatchedRows(tuple(rows), tuple(unmatched))


@dataclass(frozen=True)
class _Names:
    """Names of a network's operations: all, and those that cost something."""

    slug: str
    every: frozenset[str]
    running: frozenset[str]

    @classmethod
    def of(cls, network: Network) -> _Names:
        table = operation_table(network.operations)
        running = frozenset(name for name, runs in zip(table.names, table.runs, strict=True) if runs)
        return cls(network.slug, frozenset(table.names), running)

    def unmatched(self, line: LayerMeasurement) -> UnmatchedLine:
        folded = any(name in self.every for name in line.layers)
        alike = [] if folded else get_close_matches(line.layers[0], sorted(self.running), 1)
        return UnmatchedLine(line.line, " + ".join(line.layers), line.latency_ms, folded, *alike)


def _check_matched(rows: Sequence[MeasuredRow], unmatched: Sequence[UnmatchedLine], workload: str) -> None:
    """Refuse a file that is of another network: none of its lines is used, or more than half of its time is not."""
    unknown = [line for line in unmatched if not line.folded]
    lost_ms = sum(line.latency_ms for line in unknown)
    named_ms = sum(row.measured for row in rows if row.quantity == "latency")
    if rows and lost_ms <= named_ms:
        return
    first = max(unknown, key=lambda line: line.latency_ms, default=None)
    words = f"names of operations of the network {workload or 'in question'}"
    if first is None:
        raise ProblemError("layer", unmatched[0].name if unmatched else "", words)
    share = f" ({len(unknown)} lines with {lost_ms:.3g} of {lost_ms + named_ms:.3g} ms name none)"
    nearest = f", perhaps {first.nearest}" if first.nearest else ""
    raise ProblemError(f"line {first.line}.layer", first.name, words + nearest + share)


def _rows(
    line: LayerMeasurement, slug: str, unit: str, names: tuple[str, ...], clocks: Mapping[str, float], where: str
) -> list[MeasuredRow]:
    what = " + ".join(names) or WHOLE_NETWORK
    name = f"{slug}, {what} on {unit}, line {line.line}"
    place = f"{where}, line {line.line}"
    rows = [
        MeasuredRow(f"{name}, latency", slug, unit, "latency", "ms", line.latency_ms, place, batch=line.batch,
                    clocks=clocks, operations=names, line=line.line, deviation=line.deviation)
    ]  # fmt: skip
    if line.energy_mj is not None:
        rows.append(
            replace(rows[0], name=f"{name}, energy", quantity="energy", in_unit="mJ", measured=line.energy_mj)
        )  # fmt: skip
    return rows


def _require(value: str, line: LayerMeasurement, name: str) -> None:
    if not value:
        raise ProblemError(f"line {line.line}.{name}", "", f"given, in a column {name} or for the whole file")
