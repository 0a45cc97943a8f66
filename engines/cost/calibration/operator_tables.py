"""Tables of operators with their times, as LiteRT and Rockchip's toolkit print them, and the layers of an AI Hub profile job.

Formats:
- LiteRT, `benchmark_model --enable_op_profiling=true`: the first "Run Order" of the benchmark runs, parted by tabs or, with
  `--profiling_output_csv_file`, by commas. Names are those of result tensors, as in the imported file. A delegate prints kernels
  of its own names, which belong to no operator.
- Rockchip, `rknn.eval_perf` with the profiler: columns FullName and Time(us), the type of the operator before its name. Operators
  on the processor have it as their unit.
- Qualcomm AI Hub: `execution_detail` with `name`, `compute_unit` and `execution_time` in microseconds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.calibration.files import MAX_FIGURE, LayerMeasurement, check_count, some

DETAIL = '"execution_detail"'
_LITERT_HEAD = re.compile(r"^\s*\[?node type\]?\s*[,\t].*\bname\]?\s*$", re.IGNORECASE | re.MULTILINE)
_RKNN_HEAD = re.compile(r"^ID\s+OpType\b.*Time\(us\).*FullName\s*$", re.MULTILINE)
_REGULAR = "for Regular Benchmark Runs"
_NODE = re.compile(r"^\[(.*)\](?::\d+)?$")


def is_operator_table(text: str) -> bool:
    """Return whether a text has a table of operators of LiteRT or Rockchip."""
    return bool(_LITERT_HEAD.search(text) or _RKNN_HEAD.search(text))


def read_operator_table(text: str) -> list[LayerMeasurement]:
    """Return the rows of the table.

    Raises:
        ProblemError: a row that does not fit the heading.
    """
    rknn = _RKNN_HEAD.search(text)
    return some([*(_rknn(text, rknn) if rknn else _litert(text))])


def read_ai_hub_layers(text: str) -> list[LayerMeasurement]:
    """Return the layers of a profile job that have a time.

    Raises:
        ProblemError: it is no such file.
    """
    accepted = "JSON of an AI Hub profile job"
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProblemError("profile", str(error)[:200], accepted) from error
    layers = content.get("execution_detail") if isinstance(content, Mapping) else None
    if not isinstance(layers, list) or not all(isinstance(each, Mapping) for each in layers):
        raise ProblemError("profile.execution_detail", type(layers).__name__, "a list of layers")
    check_count(len(layers))
    rows = [_ai_hub_row(each, number) for number, each in enumerate(layers, start=1) if each.get("execution_time")]
    if not rows:
        ways = ["Import the file as a measured value of the whole network."]
        raise ProblemError("profile.execution_detail", "no execution_time", "layers with times", remedies=ways)
    return rows


def _ai_hub_row(layer: Mapping[str, Any], number: int) -> LayerMeasurement:
    time_ms = _figure(layer["execution_time"], f"profile.execution_detail.{number - 1}.execution_time") / 1e3
    return LayerMeasurement(
        (str(layer.get("name", "")),), str(layer.get("compute_unit", "")).lower(), time_ms, line=number
    )


def _litert(text: str) -> Iterator[LayerMeasurement]:
    begin = max(text.find(_REGULAR), 0)
    head = _LITERT_HEAD.search(text, begin) or _LITERT_HEAD.search(text)
    assert head is not None  # as `is_operator_table` found
    separator = "\t" if "\t" in head[0].strip() else ","
    names = [cell.strip(" []").lower().replace(" ", "_") for cell in head[0].strip().split(separator)]
    if "avg_ms" not in names:
        raise ProblemError(f"line {_line(text, head.start())}", head[0].strip(), "a heading with avg_ms and name")
    for number, line in _lines(text, head.end()):
        cells = line.strip().split(separator, len(names) - 1)
        if len(cells) < len(names):
            raise ProblemError(f"line {number}", f"{len(cells)} cells", f"{len(names)} cells, as in the heading")
        found = _NODE.match(cells[-1].strip())
        name = found[1].split(", ")[0] if found else cells[-1].strip()
        yield LayerMeasurement((name,), "", _figure(cells[names.index("avg_ms")], f"line {number}.avg_ms"), line=number)


def _rknn(text: str, head: re.Match[str]) -> Iterator[LayerMeasurement]:
    names = head[0].split()
    time, target = names.index("Time(us)"), names.index("Target") if "Target" in names else -1
    for number, line in _lines(text, head.end()):
        cells = line.split(maxsplit=len(names) - 1)
        if not line.strip(" -="):
            continue
        if not cells[0].isdigit():
            return
        if len(cells) != len(names):
            raise ProblemError(f"line {number}", f"{len(cells)} cells", f"{len(names)} cells, as in the heading")
        unit = "cpu" if target >= 0 and cells[target] == "CPU" else ""
        name = cells[-1].strip().partition(":")[2] or cells[-1].strip()
        yield LayerMeasurement((name,), unit, _figure(cells[time], f"line {number}.Time(us)") / 1e3, line=number)


def _lines(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines below a heading, up to an empty one."""
    for number, line in enumerate(text[begin:].split("\n")[1:], start=_line(text, begin) + 1):
        if not line.strip():
            return
        check_count(number - _line(text, begin))
        yield number, line


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _figure(text: Any, field: str) -> float:
    try:
        value = -1.0 if isinstance(text, bool) else float(text)
    except (TypeError, ValueError):
        value = -1.0
    if not 0 <= value <= MAX_FIGURE:
        raise ProblemError(field, text, "a number from 0 on")
    return value
