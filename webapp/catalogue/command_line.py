"""The common parts of commands that take network files: their options, and reports in words."""

from __future__ import annotations

import math
import shlex
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engines.contract.errors import ProblemError
from engines.running.runner.readers import ENDINGS
from engines.workloads.importing.language_reader import SIZES
from hardware.package.zigzag import ASKED
from webapp.catalogue.imports import Upload, upload_of

TREATMENTS = {
    "unpriced": "without a cost model",
    "excluded": "left out, as asked",
    "computed": "computed",
    "folded": "fused into the layer before",
    "prepared": "computed once, before the first sample",
}


def add_network_arguments(parser: ArgumentParser) -> None:
    """Add `--dim` and `--exclude`, for files of networks."""
    parser.add_argument(
        "--dim",
        metavar="NAME=SIZE",
        action="append",
        default=[],
        help="size of an open dimension in an ONNX file. Language models take prompt, cached and batch. Hardware of ZigZag takes "
        "clock_mhz and process_node_nm.",
    )
    parser.add_argument(
        "--exclude", metavar="OPERATOR", action="append", default=[],
        help="an operator without a cost model that engines may leave out, at no cost",
    )  # fmt: skip


def add_next_version_argument(parser: ArgumentParser) -> None:
    """Add `--next-version`, without which a taken name is refused."""
    words = "if a document of that name has other content, store this as its next version"
    parser.add_argument("--next-version", action="store_true", help=words)


def upload_from(path: Path, options: Mapping[str, Any], kind: str | None = None) -> Upload:
    """Return a file with the options of the command line. Options for networks do not apply to YAML documents.

    Args:
        path: path of the file.
        options: `dim` and `exclude`.
        kind: kind of the document that it is to become; hardware of other tools leaves figures of its own open.

    Raises:
        ProblemError: the file cannot be read, or a `--dim` is not NAME=SIZE.
    """
    dims = sizes(options["dim"])
    asked = {name: size for name, size in dims.items() if name in ASKED}
    if kind == "hardware":
        return upload_of(path, dims=asked)
    if ENDINGS.get(path.suffix.lower()) in ("document", "gguf"):
        return upload_of(path, dims={name: size for name, size in dims.items() if name in SIZES})
    return upload_of(
        path, dims={name: size for name, size in dims.items() if name not in asked}, exclude=tuple(options["exclude"])
    )


def sizes(pairs: list[str]) -> dict[str, int]:
    """Return the sizes in texts of the form NAME=SIZE.

    Raises:
        ProblemError: one is of another form.
    """
    found = {}
    for text in pairs:
        name, equals, size = text.rpartition("=")
        if not (equals and name and size.isascii() and size.isdigit() and len(size) < 12):
            raise ProblemError("dims", text, "NAME=SIZE, the size a whole number")
        found[name] = int(size)
    return found


def clocks(pairs: Iterable[str]) -> dict[str, float]:
    """Return the clocks in MHz in texts of the form NAME=MHZ.

    Raises:
        ProblemError: one is of another form.
    """
    found = {}
    for text in pairs:
        name, _, value = text.partition("=")
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise ProblemError("clock", text, "NAME=MHZ, for example gpu=1377")
    return found


def report_lines(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield a report of an import in lines."""
    if "nodes" not in report:
        yield f"{report['format']}"
        yield from (f"  {column}" for column in report.get("columns") or ())
        yield from (f"  {note}" for note in report["notes"])
        return
    yield f"{report['format']}: {report['nodes']} operators"
    for treatment, words in TREATMENTS.items():
        rows = [row for row in report["operators"] if row["treatment"] == treatment]
        if rows:
            yield f"  {words}: " + ", ".join(f"{row['operator']} × {row['count']}" for row in rows)
    yield f"  {report['layers']} layers, {report['macs'] / 1e9:.4g} GMAC, {report['parameters'] / 1e6:.4g} M parameters"
    if report.get("sizes"):
        yield "  read with " + ", ".join(f"{name} = {size}" for name, size in report["sizes"].items())
    for each in report.get("open_sizes") or ():
        option = shlex.quote(f"{each['name']}=100")
        yield f"  depends on the data, as {each['operator']} gives it; give it a size: --dim {option}"
    for note in report["notes"]:
        yield f"  {note}"
