"""Matching of measured lines to operations of networks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from engines.contract.errors import ProblemError
from engines.cost.calibration.estimates import Networks
from engines.cost.calibration.files import LayerMeasurement
from engines.cost.calibration.measurements import MeasuredRow
from engines.cost.calibration.runtime_names import ProfileLine, RuntimeNames
from hardware.calibration.model import WHOLE_NETWORK

_MOST_NAMED = 8  # operations that a row's name lists


@dataclass(frozen=True)
class UnmatchedLine:
    """A measured line that matches no operation and is not used.

    Attributes:
        line: line of the file, from 1 on.
        name: name of the layer in the line.
        folded: whether the network contains it, fused into the operation before or without data movement.
        nearest: operation of the network with a similar name; "" without one.
        copy: whether the runtime only copied data or changed the layout.
    """

    line: int
    name: str
    latency_ms: float
    folded: bool
    nearest: str = ""
    copy: bool = False


@dataclass(frozen=True)
class MatchedRows:
    """The measured lines as rows of a network.

    Attributes:
        rows: rows with latencies, and with energies if they were measured.
        unmatched: lines without any operation of the network that costs something: copies, reformatting, activations that
            are folded into the operation before, regions whose ends the network does not have.
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
    """Return the measured lines as rows; names of operations are looked up in the network.

    Args:
        measured: lines of a file.
        networks: name -> network; rows carry its slug, for which it is asked later.
        workload: network of lines that name none.
        unit: compute unit of lines that name none.
        clocks_mhz: clocks in MHz of all lines; a line's own come first.
        where: the file, for the rows.
        power_w: mean power while the file was measured, for lines without energy.

    Raises:
        ProblemError: a line has no network or unit, or no line names an operation.
    """
    lines = [replace(line, workload=line.workload or workload, unit=line.unit or unit) for line in measured]
    for line in lines:
        _require(line.workload, line, "workload")
        _require(line.unit, line, "unit")
    rows: list[MeasuredRow] = []
    unmatched: list[UnmatchedLine] = []
    known = {name: RuntimeNames(networks(name)) for name in dict.fromkeys(line.workload for line in lines)}
    for line, found in _executed(lines, known):
        names = known[line.workload]
        table = names.table
        running = tuple(dict.fromkeys(table.names[place] for place in found.places if table.runs[place]))
        if line.layers and (found.copy or not running):
            unmatched.append(_unmatched(line, found, names))
        elif line.latency_ms > 0:
            clocks = {**(clocks_mhz or {}), **line.clocks_mhz}
            if line.energy_mj is None and power_w:
                line = replace(line, energy_mj=power_w * line.latency_ms)
            rows += _rows(line, names.network.slug, running, clocks, where)
    _check_matched(rows, unmatched, workload)
    return MatchedRows(tuple(rows), tuple(unmatched))


def _executed(
    lines: Sequence[LayerMeasurement], known: Mapping[str, RuntimeNames]
) -> Iterator[tuple[LayerMeasurement, ProfileLine]]:
    """Yield each line with what it executed; nodes of onnxruntime that are of the same operations as one line."""
    nodes = {
        name: iter(names.nodes([(each.layers[0], each.operator) for each in lines if _is_node(each, name)]))
        for name, names in known.items()
    }
    together: dict[tuple[object, ...], tuple[LayerMeasurement, ProfileLine]] = {}
    for line in lines:
        names = known[line.workload]
        key: tuple[object, ...] = (line.line, len(together))
        if _is_node(line, line.workload):
            found = next(nodes[line.workload])
            key = (line.workload, line.unit, found) if found.places and not found.copy else key
        elif line.runtime:
            found = names.joined(line.layers[0])
        else:
            found = ProfileLine(tuple(place for name in line.layers for place in names.places.get(name, ())))
        first = together.get(key)
        if first is not None:
            line = replace(first[0], latency_ms=first[0].latency_ms + line.latency_ms)
        together[key] = (line, found)
    yield from together.values()


def _is_node(line: LayerMeasurement, workload: str) -> bool:
    return line.runtime == "onnxruntime" and line.workload == workload


def _unmatched(line: LayerMeasurement, found: ProfileLine, names: RuntimeNames) -> UnmatchedLine:
    text = " + ".join(line.layers)
    folded = bool(found.places) and not found.copy
    alike = [] if folded or found.copy else get_close_matches(line.layers[0].partition(" + ")[0], _running(names), 1)
    return UnmatchedLine(line.line, text, line.latency_ms, folded, alike[0] if alike else "", found.copy)


def _running(names: RuntimeNames) -> list[str]:
    return sorted(name for name, places in names.places.items() if any(names.table.runs[place] for place in places))


def _check_matched(rows: Sequence[MeasuredRow], unmatched: Sequence[UnmatchedLine], workload: str) -> None:
    """Refuse a file that is of another network: none of its lines is used, or more than half of its time is not."""
    unknown = [line for line in unmatched if not (line.folded or line.copy)]
    lost_ms = sum(line.latency_ms for line in unknown)
    named_ms = sum(row.measured for row in rows if row.quantity == "latency")
    if rows and lost_ms <= named_ms:
        return
    first = max(unknown, key=lambda line: line.latency_ms, default=None)
    words = f"names of operations of the network {workload}".strip()
    if first is None:
        raise ProblemError("layer", unmatched[0].name if unmatched else "", words)
    share = f"{len(unknown)} lines with {lost_ms:.3g} of {lost_ms + named_ms:.3g} ms name no operation."
    nearest = [f"The nearest name is {first.nearest}."] if first.nearest else []
    raise ProblemError(f"line {first.line}.layer", first.name, words, reason=share, remedies=nearest)


def _rows(
    line: LayerMeasurement, slug: str, names: tuple[str, ...], clocks: Mapping[str, float], where: str
) -> list[MeasuredRow]:
    what = " + ".join(names) or WHOLE_NETWORK
    if len(names) > _MOST_NAMED:
        what = f"{names[0]} to {names[-1]} ({len(names)} operations)"
    name = f"{slug}, {what} on {line.unit}, line {line.line}"
    place = f"{where}, line {line.line}"
    rows = [
        MeasuredRow(f"{name}, latency", slug, line.unit, "latency", "ms", line.latency_ms, place, batch=line.batch,
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
