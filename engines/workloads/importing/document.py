"""An imported graph as a `network/1` document, and a report of how each operator was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from engines.documents import ReadDocument
from engines.errors import ProblemError
from engines.workloads.errors import WorkloadError
from engines.workloads.importing.graph import ImportedGraph, Node, UnknownSizeError
from engines.workloads.importing.limits import MAX_NODES
from engines.workloads.importing.rows import Row, folded_row
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from engines.workloads.schema import NETWORK_SCHEMA

COMPUTED, FOLDED, PREPARED, UNPRICED, EXCLUDED = "computed", "folded", "prepared", "unpriced", "excluded"


@dataclass(frozen=True)
class Vocabulary:
    """What a format calls its operators.

    Attributes:
        compute_rows: rows of an operator that multiplies and accumulates; None for any other.
        folded_kind: the kind under which an operator is folded; None for one that is not.
    """

    compute_rows: Callable[[Node], list[Row] | None]
    folded_kind: Callable[[Node], str | None]


@dataclass(frozen=True)
class ImportOptions:
    """What somebody says beside the file.

    Attributes:
        name: title of the network.
        exclude: operators without a cost model that engines may leave out.
    """

    name: str
    exclude: Collection[str] = ()


def to_document(graph: ImportedGraph, vocabulary: Vocabulary, options: ImportOptions, source: str) -> ReadDocument:
    """The network that a graph describes, checked, with the report.

    Raises:
        ProblemError: a row that no network can have, an operator to exclude that is not there, or nothing that computes.
    """
    rows: list[Row] = []
    told: Counter[tuple[str, str]] = Counter()
    unpriced: set[str] = set()
    for node in graph.nodes:
        treatment, described = _describe(node, vocabulary, options.exclude)
        listed = described[0]["operator"] if treatment in (UNPRICED, EXCLUDED) else node.operator
        unpriced |= {node.operator, listed} if treatment in (UNPRICED, EXCLUDED) else set()
        told[(listed, treatment)] += 1
        rows += described
    for name in options.exclude:
        if name not in unpriced:
            accepted = f"one of the operators without a cost model: {', '.join(sorted(unpriced)) or 'there are none'}"
            raise ProblemError("exclude", name, accepted)
    if len(rows) > MAX_NODES:
        raise ProblemError("file", f"{len(rows)} rows", f"a network of at most {MAX_NODES:,} rows")
    content = {
        "schema": NETWORK_SCHEMA, "slug": slug_of(options.name), "title": options.name[:200],
        "short_title": _short(options.name), "source": source, "operations": rows,
    }  # fmt: skip
    return ReadDocument(content, report=_report(graph, told, _checked(content)))


def slug_of(name: str) -> str:
    """A name in the catalogue: small letters, digits, hyphens."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80].strip("-")
    return slug or "network"


def _short(name: str) -> str:
    return re.sub(r"[-_\s]+", " ", name).strip()[:12].strip() or "Network"


def _describe(node: Node, vocabulary: Vocabulary, exclude: Collection[str]) -> tuple[str, list[Row]]:
    """How an operator is treated, and its rows."""
    if node.prepared:
        return PREPARED, []
    operator = node.operator
    try:
        rows = vocabulary.compute_rows(node)
        if rows is not None:
            _check_positive(rows)
            return COMPUTED, rows
    except UnknownSizeError:
        # Computed, but of a kind or size that no cost model has: three directions, a shape that depends on the data.
        operator = f"{node.operator} ({_reason(node)})"
    else:
        kind = vocabulary.folded_kind(node)
        if kind is not None:
            return FOLDED, [folded_row(node, kind)]
    excluded = operator in exclude or node.operator in exclude
    row = {**folded_row(node, "unpriced"), "operator": operator}
    return EXCLUDED if excluded else UNPRICED, [row | ({"excluded": True} if excluded else {})]


def _check_positive(rows: list[Row]) -> None:
    sizes = (row.get(name, 1) for row in rows for name in ("k", "c", "r", "s", "y", "x", "repeats"))
    if any(size < 1 for size in sizes):
        raise UnknownSizeError("an empty tensor")


def _reason(node: Node) -> str:
    shapes = [tensor.shape for tensor in node.inputs if tensor is not None]
    if any(shape is None for shape in shapes):
        return "size not known"
    sizes = [" × ".join(map(str, shape)) for shape in shapes[:2] if shape is not None]
    return " and ".join(sizes) or "size not known"


def _checked(content: Mapping[str, Any]) -> Network:
    try:
        return load_network(content)
    except WorkloadError as error:
        raise ProblemError(_place(error.key, content), error.got, error.accepted) from error


def _place(key: str, content: Mapping[str, Any]) -> str:
    """The key with the name of the operator in place of its number."""
    found = re.match(r"operations\.(\d+)(.*)", key)
    return key if found is None else f"{content['operations'][int(found[1])]['name']}{found[2]}"


def _report(graph: ImportedGraph, told: Counter[tuple[str, str]], network: Network) -> dict[str, Any]:
    rows = sorted(told.items(), key=lambda item: (_ORDER.index(item[0][1]), -item[1], item[0][0]))
    inside = sum(node.inside for node in graph.nodes)
    notes = list(graph.notes)
    if inside:
        notes.append(f"{inside} operators lie inside of others (loops, branches) and are not counted beside them.")
    return {
        "format": graph.source,
        "inputs": [{"name": each.name, "shape": list(each.shape or ())} for each in graph.inputs],
        "nodes": len(graph.nodes),
        "layers": len(network.layers),
        "macs": network.macs,
        "parameters": network.weight_elements + network.lookup_elements,
        "operators": [{"operator": name, "treatment": treatment, "count": count} for (name, treatment), count in rows],
        "notes": notes,
    }


_ORDER = (UNPRICED, EXCLUDED, COMPUTED, FOLDED, PREPARED)
