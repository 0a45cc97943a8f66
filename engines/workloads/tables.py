"""Reads tables of operations (CSV) into rows of a network document.

Two kinds of table exist: traced networks (one row per operation, columns `layer type N K C R S Y X stride pad groups macs
weight_elems in_bytes_int8 out_bytes_int8 ...`; int8, so bytes are elements) and MAESTRO's own model files (one row per layer,
`layer type depthwise K C R S Y X stride_x stride_y macs_true`, no padding). A column `reads` says what a row reads: numbers of
rows from 0, "input", or nothing where it is the row before.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engines.workloads.errors import WorkloadError
from engines.workloads.network import INPUT

Row = Mapping[str, str]

_TRACED_KINDS = {
    "dwconv": "depthwise",
    "grouped_conv": "conv",
    "convT": "transposed_conv",
    "act": "activation",
}
_TRACED_SAME = ("conv", "gemm", "matmul", "batchnorm", "pool", "norm", "softmax", "eltwise", "concat", "embedding")
_TRACED_OTHER = ("reshape", "resize", "reduce", "gather", "topk")
# A transposed convolution is evaluated by MAESTRO like a convolution of the same row; its layers are kept that way.
_MAESTRO_KINDS = {"CONV": "conv", "DSCONV": "depthwise", "TRCONV": "conv"}
_COMPUTE_TYPES = ("conv", "dwconv", "grouped_conv", "convT", "gemm", "matmul")


def read_table(path: Path) -> list[dict[str, Any]]:
    """Return the rows of the `operations` of a network document, in the order of the file.

    Raises:
        WorkloadError: columns, an operation type or a number that are not known; names the row.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        convert = _converter(reader.fieldnames or (), path)
        return [_converted(convert, row, number, path) for number, row in enumerate(reader, start=2)]


def tied(rows: Sequence[Mapping[str, Any]], names: Collection[str]) -> list[dict[str, Any]]:
    """Return the rows, those of these names with the same weights: an embedding and the head that multiplies with its table."""
    found = [dict(row) for row in rows]
    for row in found:
        if row["name"] in names:
            elements = row.get("weight_elements") or row["k"] * row["c"]
            row["shared_weights"] = {" = ".join(names): elements}
    return found


def _converter(columns: Iterable[str], path: Path) -> Callable[[Row], dict[str, Any]]:
    present = set(columns)
    if {"layer", "type", "macs_true", "stride_x"} <= present:
        return _maestro_row
    if {"layer", "type", "K", "macs", "weight_elems", "in_bytes_int8", "out_bytes_int8"} <= present:
        return _traced_row
    raise WorkloadError(
        "columns", sorted(present), "those of a traced network or of a MAESTRO model file", path.name, 1
    )


def _converted(convert: Callable[[Row], dict[str, Any]], row: Row, number: int, path: Path) -> dict[str, Any]:
    try:
        return convert(row) | _reads(row)
    except ValueError as error:
        raise WorkloadError(
            row.get("layer") or "layer", str(error), "a row of whole numbers", path.name, number
        ) from error
    except KeyError as error:
        accepted = f"one of: {', '.join([*_TRACED_SAME, *_TRACED_KINDS, *_TRACED_OTHER, *_MAESTRO_KINDS])}"
        raise WorkloadError("type", error.args[0], accepted, path.name, number) from error


def _traced_row(row: Row) -> dict[str, Any]:
    kind = row["type"]
    if kind not in _TRACED_SAME and kind not in _TRACED_OTHER:
        kind = _TRACED_KINDS[kind]
    figures: dict[str, Any] = {
        "name": row["layer"],
        "kind": kind,
        "weight_elements": int(row["weight_elems"]),
        "input_elements": int(row["in_bytes_int8"]),
        "output_elements": int(row["out_bytes_int8"]),
    }
    if row["type"] not in _COMPUTE_TYPES:
        return figures
    figures |= {name: int(row[name.upper()]) for name in ("k", "c", "r", "s", "y", "x")}
    figures |= {"stride": int(row["stride"]), "pad": _pad(row["pad"]), "groups": int(row["groups"])}
    return figures | {"repeats": int(row["N"]), "macs": int(row["macs"])}


def _reads(row: Row) -> dict[str, Any]:
    cell = row.get("reads")
    if not cell:
        return {}
    reads = [INPUT if each == "input" else int(each) for each in cell.split()]
    return {"reads": [] if reads == [INPUT] else reads}


def _pad(text: str) -> int | list[int]:
    parts = [int(part) for part in text.split("x")]
    return parts[0] if len(parts) == 1 else parts


def _maestro_row(row: Row) -> dict[str, Any]:
    kind = _MAESTRO_KINDS[row["type"]]
    if row["stride_x"] != row["stride_y"]:
        raise ValueError(f"stride {row['stride_x']} x {row['stride_y']}; both must be equal")
    figures = {name: int(row[name.upper()]) for name in ("k", "c", "r", "s", "y", "x")}
    if kind == "depthwise":
        figures |= {"k": figures["c"], "groups": figures["c"]}
    return {
        "name": row["layer"],
        "kind": kind,
        **figures,
        "stride": int(row["stride_x"]),
        "macs": int(row["macs_true"]),
    }
