"""Reads workloads of ZigZag and Stream: a YAML list of layers, each with an equation and loop sizes; and ZigZag's hardware.

The format is that of KULeuven-MICAS/zigzag, `inputs/workload`. What a layer computes follows from its equation, not from its
`operator_type`. Precisions, who reads whom, and whatever else a layer says have no place in a network here: they are left out
and named in the report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engines.contract.encoding.document_text import ReadDocument, as_content, parse_yaml, read_yaml
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import COMPUTED, EXCLUDED, FOLDED, UNPRICED, Entry, assembled
from engines.workloads.importing.graph import UnknownSizeError
from engines.workloads.importing.language_reader import read_configuration
from engines.workloads.importing.rows import Row, contraction_row, convolution_row
from engines.workloads.language.configuration import ENDLESS_KEYS
from engines.workloads.language.reader import is_language_model
from hardware.documents import DocumentText, line_of
from hardware.errors import HardwareError
from hardware.package.zigzag import ASKED, is_zigzag_hardware, refuse_system, zigzag_package
from hardware.slugs import slug_of

_OPERAND = re.compile(r"([A-Za-z]\w*)((?:\[\w+\])+)")
_RELATION = re.compile(r"\s*(i[xy])\s*=\s*(?:(\d+)\s*\*)?\s*(o[xy])\s*\+\s*(?:(\d+)\s*\*)?\s*(f[xy])\s*")
_CONVOLUTION = {"b", "k", "c", "g", "oy", "ox", "fy", "fx"}
_CHANNELS = {"k", "c", "g"}
_USED = ("id", "name", "operator_type", "equation", "dimension_relations", "loop_dims", "loop_sizes", "operand_source")


def read_document(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return a YAML or JSON file: a document, a configuration of a language model, or a list of layers as ZigZag writes them.

    Args:
        data: the file.
        name: its name.
        options: options of a list: `name`, title of the network; `exclude`, operators that engines may leave out. Of an accelerator
            of ZigZag: `name`, and `dims` with the figures of `hardware.package.zigzag.ASKED`. Of a configuration of a language
            model: `name`, and `dims` with `prompt`, `cached` and `batch`. Of a document: `name`, another
            title, and with it another slug; it says everything else itself.

    Raises:
        ProblemError: with the line where it is known, what was found and what is accepted.
    """
    given = {key: value for key, value in options.items() if value}
    if not _is_list(data):
        parsed = parse_yaml(data, name, leave_out=ENDLESS_KEYS)
        try:
            refuse_system(parsed.content, name)
        except HardwareError as error:
            raise ProblemError.of(error, line=line_of(parsed.lines, error.key)) from error
        if is_language_model(parsed.content):
            return _language_model(parsed, name, given)
        read = ReadDocument(as_content(parsed.content), parsed.lines)
        if is_zigzag_hardware(read.content):
            return _accelerator(read, name, given)
        if title := str(given.pop("name", "")):
            read = ReadDocument({**read.content, "slug": slug_of(title, "document"), "title": title}, read.lines)
        for key, value in given.items():
            raise ProblemError(key, value, "left out", reason=f"The document {name} contains this value.")
        return read
    if "dims" in given:
        raise ProblemError("dims", given["dims"], "left out", reason="A list of layers already fixes every dimension.")
    # A list is no document; below a key it is read with all limits, and its lines.
    try:
        read = read_yaml(b"layers:\n" + data.removeprefix(b"---\n"), name)
    except ProblemError as error:
        line = None if error.line is None else max(1, error.line - 1)
        raise ProblemError.of(error, error.field.removeprefix("layers."), line) from error
    lines = {key.removeprefix("layers."): line - 1 for key, line in read.lines.items()}
    return _network(read.content["layers"], lines, name, given)


def _language_model(parsed: DocumentText, name: str, given: Mapping[str, Any]) -> ReadDocument:
    """Return the networks of a language model, in whose configuration errors have a line."""
    if "exclude" in given:
        raise ProblemError("exclude", given["exclude"], "left out", reason=f"The file {name} has no operators.")
    try:
        return read_configuration(as_content(parsed.content), name, str(given.get("name", "")), given.get("dims"))
    except ProblemError as error:
        raise ProblemError.of(error, line=line_of(parsed.lines, error.field)) from error


def _accelerator(read: ReadDocument, name: str, given: Mapping[str, Any]) -> ReadDocument:
    """Return an accelerator of ZigZag as a package of one chiplet."""
    dims = dict(given.get("dims") or {})
    for key in dims:
        if key not in ASKED:
            raise ProblemError("dims", key, f"one of {', '.join(ASKED)}, which {name} leaves open")
    if "exclude" in given:
        raise ProblemError("exclude", given["exclude"], "left out", reason=f"The file {name} has no operators.")
    missing = {key: None for key in ASKED if not dims.get(key)}
    try:
        # All that the file itself may have wrong is told before anything is asked for.
        content, notes = zigzag_package(read.content, name, {**dict.fromkeys(ASKED, 1), **dims}, given.get("name", ""))
    except HardwareError as error:
        raise ProblemError.of(error, line=line_of(read.lines, error.key)) from error
    if missing:
        raise ProblemError(
            "dims", missing, "given", reason="Files of ZigZag lack the clock in MHz and the process node in nm."
        )
    return ReadDocument(content, report={"format": "ZigZag hardware", "notes": notes})


def _is_list(data: bytes) -> bool:
    """Return whether the first line that says anything begins an entry of a list."""
    for line in data.splitlines():
        bare = line.strip()
        if bare and not bare.startswith(b"#") and bare != b"---":
            return bare == b"-" or bare.startswith(b"- ")
    return False


def _network(layers: list[Any], lines: Mapping[str, int], name: str, given: Mapping[str, Any]) -> ReadDocument:
    exclude, dropped = set(given.get("exclude") or ()), Counter[str]()
    entries = []
    for index, layer in enumerate(layers):
        try:
            entries.append(_entry(layer, index, exclude))
        except ProblemError as error:
            line = line_of(lines, f"{index}.{error.field}")
            raise ProblemError.of(error, f"{index}.{error.field}", line) from error
        dropped.update(key for key in layer if key not in _USED)
    for each in exclude - {entry.operator for entry in entries if entry.treatment == EXCLUDED}:
        raise ProblemError("exclude", each, "an operator type in the file that has no cost model")
    notes = [
        f"{key} of {count} layers has no meaning for a network here and is left out."
        for key, count in sorted(dropped.items())
    ]
    notes.append("Layers keep the order of the file. Inputs are as large as their loops read, padding included.")
    title = str(given.get("name") or name.rpartition("/")[2].rpartition(".")[0] or "network")
    return assembled(
        entries, title, f"{name} (a workload of ZigZag)", {"format": "ZigZag workload", "inputs": [], "notes": notes}
    )


def _entry(layer: Any, index: int, exclude: set[str]) -> Entry:
    if not isinstance(layer, Mapping):
        raise ProblemError("layer", layer, "a mapping with equation, loop_dims and loop_sizes")
    operator = str(layer.get("operator_type") or "(no type)")[:200]
    title = str(layer.get("name") or f"{operator}_{layer.get('id', index)}")[:200]
    sizes, operands = _sizes(layer), _operands(layer)
    try:
        treatment, row = _row(title, operator, layer, sizes, operands)
    except UnknownSizeError:
        excluded = operator in exclude
        row = {"name": title, "kind": "unpriced", "operator": operator} | ({"excluded": True} if excluded else {})
        treatment = EXCLUDED if excluded else UNPRICED
    return Entry(operator, treatment, [row])


def _sizes(layer: Mapping[str, Any]) -> dict[str, int]:
    dims, sizes = layer.get("loop_dims"), layer.get("loop_sizes")
    if not isinstance(dims, list) or not all(isinstance(each, str) for each in dims):
        raise ProblemError("loop_dims", dims, "a list of names of loops")
    if (
        not isinstance(sizes, list)
        or len(sizes) != len(dims)
        or any(type(each) is not int or each < 1 for each in sizes)
    ):
        raise ProblemError("loop_sizes", sizes, f"a list of {len(dims)} whole numbers of at least 1")
    return {name.lower(): size for name, size in zip(dims, sizes, strict=True)}


def _operands(layer: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return operand -> its indices: {"O": ["b", "k"], ...}."""
    equation = layer.get("equation")
    found = _OPERAND.findall(equation) if isinstance(equation, str) else []
    operands = {name: re.findall(r"\w+", indices) for name, indices in found}
    if not {"O", "I", "W"} <= set(operands):
        raise ProblemError("equation", equation, "an equation of O, I and W such as O[b][k]+=W[k][c]*I[b][c]")
    return operands


def _row(
    title: str, operator: str, layer: Mapping[str, Any], sizes: Mapping[str, int], operands: Mapping[str, list[str]]
) -> tuple[str, Row]:
    """Return the report on the layer and its row.

    Raises:
        UnknownSizeError: an equation without a cost model.
    """
    multiplies = "*" in str(layer["equation"])
    if not multiplies:
        elements = _product(operands["O"], sizes)
        return FOLDED, {"name": title, "kind": "eltwise", "input_elements": 2 * elements, "output_elements": elements}
    weight = set(operands["W"])
    if {"iy", "ix"} & set(operands["I"]) or {"iy", "ix"} & weight:
        if weight <= {"fy", "fx"}:  # no channel has a weight of its own: an average or a maximum
            return FOLDED, {"name": title, "kind": "pool", "output_elements": _product(operands["O"], sizes)}
        return COMPUTED, _convolution(title, layer, sizes, operands)
    letters = dict(zip(sizes, "abcdefghijklmnopqrstuvwxyz", strict=False))
    try:
        terms = {name: "".join(letters[index] for index in indices) for name, indices in operands.items()}
    except KeyError as error:
        raise UnknownSizeError(str(error)) from error
    shapes = [[sizes[index] for index in operands[name]] for name in ("I", "W")]
    constant = _is_constant(layer)
    return COMPUTED, contraction_row(title, f"{terms['I']},{terms['W']}->{terms['O']}", shapes[0], shapes[1], constant)


def _convolution(
    title: str, layer: Mapping[str, Any], sizes: Mapping[str, int], operands: Mapping[str, list[str]]
) -> Row:
    if set(sizes) - _CONVOLUTION or "b" in operands["W"]:
        raise UnknownSizeError(f"loops {', '.join(sizes)}")
    steps = {relation[1]: relation for relation in map(_RELATION.fullmatch, _relations(layer)) if relation}
    (stride_y, dilation_y), (stride_x, dilation_x) = (_steps(steps, axis, sizes) for axis in "yx")
    kernel = (sizes.get("fy", 1), sizes.get("fx", 1))
    inputs = [
        (sizes.get(f"o{axis}", 1) - 1) * stride + dilation * (width - 1) + 1
        for axis, stride, dilation, width in (
            ("y", stride_y, dilation_y, kernel[0]),
            ("x", stride_x, dilation_x, kernel[1]),
        )
    ]
    groups, outputs, summed, copies = _channels(sizes, operands)
    channels = (outputs * groups, summed * groups)
    return convolution_row(
        title, sizes.get("b", 1) * copies, inputs, channels, kernel, strides=(stride_y, stride_x),
        dilations=(dilation_y, dilation_x), pads=(0, 0, 0, 0), groups=groups, bias=False,
    )  # fmt: skip


def _channels(sizes: Mapping[str, int], operands: Mapping[str, list[str]]) -> tuple[int, int, int, int]:
    """Return groups, channels out and in of each, and copies with the same weights: what a loop is follows from who has its index.

    Raises:
        UnknownSizeError: a loop over channels of one operand alone.
    """
    out, read, weight = (set(operands[name]) & _CHANNELS for name in "OIW")
    if {*out, *read, *weight} - (out & read) - (out & weight) - (read & weight):
        raise UnknownSizeError("channels of one operand alone")
    kinds = (out & read & weight, (out & weight) - read, (read & weight) - out, (out & read) - weight)
    groups, outputs, summed, copies = (_product(sorted(kind), sizes) for kind in kinds)
    return groups, outputs, summed, copies


def _relations(layer: Mapping[str, Any]) -> list[str]:
    relations = layer.get("dimension_relations") or []
    if not isinstance(relations, list) or not all(isinstance(each, str) for each in relations):
        raise ProblemError("dimension_relations", relations, "a list of texts such as [ix=1*ox+1*fx, iy=1*oy+1*fy]")
    return relations


def _steps(relations: Mapping[str, re.Match[str]], axis: str, sizes: Mapping[str, int]) -> tuple[int, int]:
    """Return the stride and dilation in one direction."""
    relation = relations.get(f"i{axis}")
    if relation is None:
        if sizes.get(f"f{axis}", 1) > 1:
            raise UnknownSizeError(f"no relation of i{axis}")
        return 1, 1
    if (relation[3], relation[5]) != (f"o{axis}", f"f{axis}"):
        raise UnknownSizeError(relation[0])
    return int(relation[2] or 1), int(relation[4] or 1)


def _is_constant(layer: Mapping[str, Any]) -> bool:
    """Return whether the source is a weight: ZigZag then names the layer itself."""
    source = layer.get("operand_source")
    return not isinstance(source, Mapping) or source.get("W") in (None, layer.get("id"))


def _product(indices: list[str], sizes: Mapping[str, int]) -> int:
    found = 1
    for index in indices:
        found *= sizes.get(index, 1)
    return found
