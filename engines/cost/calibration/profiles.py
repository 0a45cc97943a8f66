"""Readers of layer-by-layer profiles of runtimes, as measured lines.

Formats:
- TensorRT, `trtexec --exportProfile`: a JSON list of layers with `name` and `medianMs`, or `averageMs`, or `timeMs` over `count`.
- TensorRT, `trtexec --dumpProfile`: the table below "=== Profile (", with or without what a log puts before its lines. The name of
  a layer stands first or last, as the heading says.
- onnxruntime, `enable_profiling`: a JSON list of events, of any provider. A node's time is that of its `_kernel_time` event; of a
  provider whose kernels run on another device (CUDA), of the `Kernel` events after it, up to the next node. TensorRT as a
  provider tells one node for all that it took over, which names no operation.
- AI Hub, a profile job as JSON, and the tables of LiteRT and Rockchip: `engines.cost.calibration.operator_tables`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.calibration.files import MAX_FIGURE, LayerMeasurement, check_count, check_size, some
from engines.cost.calibration.operator_tables import DETAIL, is_operator_table, read_ai_hub_layers, read_operator_table

_TABLE = "=== Profile ("
_LOGGED = re.compile(r"^(?:\[[^\]]*\] ?)+")
_NUMBER = r"(\d+(?:\.\d+)?)"
_NAME_FIRST = re.compile(rf"^\s*(.+?)\s+{_NUMBER}\s+{_NUMBER}(?:\s+{_NUMBER})?\s+{_NUMBER}\s*$")
_NAME_LAST = re.compile(rf"^\s*{_NUMBER}\s+{_NUMBER}(?:\s+{_NUMBER})?\s+{_NUMBER}\s+(\S.*?)\s*$")
_KERNEL_TIME = "_kernel_time"
_TOTAL = "Total"


def is_profile(text: str) -> bool:
    """Return whether a text is a runtime's profile and not a user's own table."""
    begin = text.lstrip()[:1]
    return begin == "[" or (begin == "{" and DETAIL in text) or _TABLE in text or is_operator_table(text)


def read_profile(text: str) -> list[LayerMeasurement]:
    """Return the layers of a runtime's profile, each with its name in the runtime.

    Raises:
        ProblemError: the text is not a profile.
    """
    check_size(text)
    if _TABLE in text:
        return _tensorrt_table(text)
    if is_operator_table(text):
        return read_operator_table(text)
    if text.lstrip().startswith("{"):
        return read_ai_hub_layers(text)
    entries = _entries(text)
    return _onnxruntime(entries) if any("ph" in entry for entry in entries) else _tensorrt(entries)


def _entries(text: str) -> list[dict[str, Any]]:
    accepted = "JSON of `trtexec --exportProfile` or of onnxruntime, or the table of `trtexec --dumpProfile`"
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProblemError("profile", str(error)[:200], accepted) from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ProblemError("profile", type(entries).__name__, accepted)
    return entries


# -- TensorRT ---------------------------------------------------------------------------------------------------------


def _tensorrt(entries: Sequence[Mapping[str, Any]]) -> list[LayerMeasurement]:
    check_count(len(entries))
    count = next((entry["count"] for entry in entries if "count" in entry), 1)
    layers = [(number, entry) for number, entry in enumerate(entries, start=1) if "name" in entry]
    return some([_tensorrt_row(entry, number, count) for number, entry in layers])


def _tensorrt_row(entry: Mapping[str, Any], number: int, count: Any) -> LayerMeasurement:
    runs = count if isinstance(count, int) and count > 0 else 1
    total = entry["timeMs"] / runs if isinstance(entry.get("timeMs"), int | float) else None
    name = "medianMs" if "medianMs" in entry else "averageMs"
    found = entry.get(name, total)
    if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= MAX_FIGURE:
        raise ProblemError(f"profile.{number - 1}.{name}", found, "a number from 0 on")
    return _layer(str(entry["name"]), float(found), number)


def _tensorrt_table(text: str) -> list[LayerMeasurement]:
    lines = [_LOGGED.sub("", line) for line in text.splitlines()]
    begin = next(number for number, line in enumerate(lines) if _TABLE in line) + 1
    if begin >= len(lines) or "Layer" not in lines[begin]:
        raise ProblemError(
            f"line {begin + 1}", lines[begin : begin + 1], "the heading of a profile, with Layer and times"
        )
    last = lines[begin].rstrip().endswith("Layer")
    rows: list[LayerMeasurement] = []
    for number, line in enumerate(lines[begin + 1 :], start=begin + 2):
        found = (_NAME_LAST if last else _NAME_FIRST).match(line)
        if found is None:
            break
        name, (_, average, middle, _) = (found[5], found.groups()[:4]) if last else (found[1], found.groups()[1:])
        if name == _TOTAL:
            break
        check_count(len(rows) + 1)
        rows.append(_layer(name, float(middle or average), number))
    return some(rows)


def _layer(name: str, latency_ms: float, line: int) -> LayerMeasurement:
    return LayerMeasurement((name,), "", latency_ms, line=line, runtime="tensorrt")


# -- onnxruntime ------------------------------------------------------------------------------------------------------


def _onnxruntime(entries: Sequence[Mapping[str, Any]]) -> list[LayerMeasurement]:
    """Return the median time of each node over the runs, without the first of several runs, which prepares kernels."""
    times: dict[tuple[str, str, str], list[float]] = {}
    last: list[float] = []
    elsewhere = 0.0
    for number, event in enumerate(entries):
        name, facts = str(event.get("name", "")), event.get("args")
        if event.get("cat") == "Node" and name.endswith(_KERNEL_TIME):
            index, operator = (
                str(facts.get(key, "")) if isinstance(facts, dict) else "" for key in ("node_index", "op_name")
            )
            last = times.setdefault((name.removesuffix(_KERNEL_TIME), operator, index), [])
            last.append(_duration(event, number))
            elsewhere = 0.0
        elif event.get("cat") == "Kernel" and last:
            elsewhere += _duration(event, number)
            last[-1] = elsewhere
    check_count(len(times))
    return some([
        LayerMeasurement(
            (name,), "", median(found[1:] or found) / 1e3, line=number, runtime="onnxruntime", operator=operator
        )
        for number, ((name, operator, _), found) in enumerate(times.items(), start=1)
    ])  # fmt: skip


def _duration(event: Mapping[str, Any], number: int) -> float:
    found = event.get("dur")
    if not isinstance(found, int | float) or isinstance(found, bool) or not 0 <= found <= 1e6 * MAX_FIGURE:
        raise ProblemError(f"profile.{number}.dur", found, "microseconds, from 0 on")
    return float(found)
