"""An imported graph as a `network/1` document, and a report of how each operator was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.workloads.errors import WorkloadError
from engines.workloads.importing.graph import (
    EMPTY_INPUT,
    ContradictionError,
    ImportedGraph,
    Node,
    UnknownSizeError,
    stated_bits_words,
)
from engines.workloads.importing.limits import MAX_NAME, MAX_NODES
from engines.workloads.importing.recurrence import Rows, with_recurrences
from engines.workloads.importing.refusals import in_words, nothing_that_computes, sizes_that_contradict
from engines.workloads.importing.rows import Row, folded_row, listed_reads
from engines.workloads.importing.weights import Held, with_weights
from engines.workloads.loader import load_network
from engines.workloads.network import COMPUTE_KINDS, INPUT, Network
from engines.workloads.schema import NETWORK_SCHEMA
from engines.workloads.unknown_operators import NOT_KNOWN
from engines.workloads.weight_bits import weight_bits_words
from hardware.slugs import slug_of

COMPUTED, FOLDED, PREPARED, UNPRICED, EXCLUDED = "computed", "folded", "prepared", "unpriced", "excluded"


@dataclass(frozen=True)
class Vocabulary:
    """Names of operators in a format.

    Attributes:
        compute_rows: rows of an operator that multiplies and accumulates; None for any other.
        folded_kind: the kind under which an operator is folded; None for one that is not.
    """

    compute_rows: Callable[[Node], list[Row] | None]
    folded_kind: Callable[[Node], str | None]


@dataclass(frozen=True)
class ImportOptions:
    """Options that the user sets for an uploaded file.

    Attributes:
        name: title of the network.
        exclude: operators without a cost model that engines may leave out.
    """

    name: str
    exclude: Collection[str] = ()


@dataclass(frozen=True)
class Entry:
    """The treatment of one operator.

    Attributes:
        operator: listed name of the operator.
        treatment: treatment of the operator.
        rows: rows made from it.
        held: the weights of each row; empty where a format knows no identities.
        loop: name of the loop that it was unrolled from; "" for none.
        reason: why it has no cost model; "" for all others.
    """

    operator: str
    treatment: str
    rows: list[Row]
    held: tuple[Held, ...] = ()
    loop: str = ""
    reason: str = ""


def to_document(graph: ImportedGraph, vocabulary: Vocabulary, options: ImportOptions, source: str) -> ReadDocument:
    """Return the network that a graph describes, checked, with the report.

    Raises:
        ProblemError: as `assembled`; for sizes that exclude each other, and for an operator to exclude that is not there.
    """
    empty = 0 in graph.sizes.values()
    try:
        described = [_describe(node, vocabulary, options.exclude, empty) for node in graph.nodes]
    except _UnfitNodeError as error:
        raise sizes_that_contradict(str(error), graph.sizes) from error
    entries = _with_reads(graph, [_with_bits(graph, *each) for each in zip(graph.nodes, described, strict=True)])
    _check_exclusions([*zip(graph.nodes, entries, strict=True)], options.exclude)
    inside = sum(node.inside for node in graph.nodes)
    notes = list(graph.notes)
    if inside:
        notes.append(f"{inside} operators lie inside of others (loops, branches) and are not counted separately.")
    notes += [
        f"{operator} has no cost model: {reason}." for operator, reason in [*_reasons(entries).items()][:_MOST_OPEN]
    ]
    if words := stated_bits_words(graph.bits.values()) or weight_bits_words(graph.weight_bits):
        notes.append(words)
    inputs = [{"name": each.name, "shape": list(each.shape or ())} for each in graph.inputs]
    report = {
        "format": graph.source,
        "inputs": inputs,
        "notes": notes,
        "sizes": dict(graph.sizes),
        "open_sizes": _open_sizes(graph, entries),
    }
    return assembled(entries, options.name, source, report, _results(graph, entries), graph.weight_bits)


def _results(graph: ImportedGraph, entries: Sequence[Entry]) -> dict[str, str]:
    """Return the tensors with the last row of their operators, but those named by exporters after the operator."""
    return {
        tensor.name[:MAX_NAME]: entry.rows[-1]["name"]
        for node, entry in zip(graph.nodes, entries, strict=True)
        for number, tensor in enumerate(node.outputs if entry.rows else ())
        if tensor.name and tensor.name not in (entry.rows[-1]["name"], f"{node.name}_output_{number}")
    }


def _open_sizes(graph: ImportedGraph, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the sizes that depend on the data, where an operator that computes is not described for want of one."""
    unpriced = [each for each in entries if each.treatment == UNPRICED]
    empty = any(each.reason == _EMPTY for each in unpriced)
    wanted = any(each.operator.endswith(f"({NOT_KNOWN})") or each.operator in _HOLDERS for each in unpriced)
    asked = [(name, by) for name, by in graph.open_sizes.items() if (empty if by == EMPTY_INPUT else wanted)]
    return [{"name": name, "operator": operator} for name, operator in asked[:_MOST_OPEN]]


def _reasons(entries: Sequence[Entry], default: str = "") -> dict[str, str]:
    """Return operator without a cost model -> the reason, for each that has one."""
    reasons = {each.operator: each.reason or default for each in entries if each.treatment == UNPRICED}
    return {operator: reason for operator, reason in reasons.items() if reason}


def assembled(
    entries: Sequence[Entry],
    name: str,
    source: str,
    report: Mapping[str, Any],
    results: Mapping[str, str] | None = None,
    weight_bits: int | None = None,
) -> ReadDocument:
    """Return the network of these operators, checked.

    Args:
        entries: in topological order.
        name: title of the network.
        source: source of the data.
        report: `format`, `inputs`, `notes`, `sizes` and `open_sizes`, as far as the format has them; the rest follows from the
            entries.
        results: tensor -> name of the row that gives it.
        weight_bits: the fewest that weights are stored in; None where nothing tells them.

    Raises:
        ProblemError: a row that no network can have, too many of them, or nothing that computes.
    """
    rows = with_shared_weights(entries)
    if not any(row["kind"] in COMPUTE_KINDS for row in rows):
        sizes = {each["name"]: each["operator"] for each in report.get("open_sizes", ())}
        raise nothing_that_computes(_reasons(entries, "no cost model knows it"), sizes, report.get("sizes", {}))
    names = {row["name"] for row in rows}  # without those of recurrences, which are one row now
    given = {tensor: row for tensor, row in (results or {}).items() if row in names}
    if len(rows) > MAX_NODES:
        raise ProblemError("file", many(len(rows), "row"), f"a network of at most {counted(MAX_NODES)} rows")
    told = Counter((entry.operator, entry.treatment) for entry in entries)
    ordered = sorted(told.items(), key=lambda item: (_ORDER.index(item[0][1]), -item[1], item[0][0]))
    content = {
        "schema": NETWORK_SCHEMA, "slug": slug_of(name, "network"), "title": name[:200], "short_title": _short(name),
        "summary": _in_words(ordered), "source": source, "operations": rows,
        **({"results": given} if given else {}),
        **({} if weight_bits is None else {"weight_bits": weight_bits}),
    }  # fmt: skip
    network = _checked(content)
    figures = {
        "nodes": len(entries),
        "layers": len(network.layers),
        "macs": network.macs,
        "parameters": network.parameters,
        "operators": [
            {"operator": each, "treatment": treatment, "count": count} for (each, treatment), count in ordered
        ],
    }
    return ReadDocument(content, report={**report, **figures})


def with_shared_weights(entries: Sequence[Entry]) -> list[Row]:
    """Return the rows of all operators; a recurrence is one row, and rows with shared weights name the row that owns them."""
    joined = with_recurrences(
        Rows(
            [row for entry in entries for row in entry.rows],
            [weights for entry in entries for weights in entry.held or ((),) * len(entry.rows)],
            [entry.loop for entry in entries for _ in entry.rows],
        )
    )
    uses = Counter(name for weights in joined.held for name in {name for name, _ in weights})
    shared = [{name: count for name, count in weights if uses[name] > 1} for weights in joined.held]
    return [{**row, "shared_weights": names} if names else row for row, names in zip(joined.rows, shared, strict=True)]


def _in_words(told: Sequence[tuple[tuple[str, str], int]]) -> str:
    """Return the outcomes of operators in words, for readers of the network."""
    sentences = []
    for treatment, words in _WORDS.items():
        counted = [f"{operator} × {count}" for (operator, each), count in told if each == treatment]
        if counted:
            sentences.append(f"{words}: {', '.join(counted)}.")
    text = " ".join(sentences)
    return text if len(text) <= _SUMMARY_LENGTH else text[: _SUMMARY_LENGTH - 1] + "…"


def _short(name: str) -> str:
    return re.sub(r"[-_\s]+", " ", name).strip()[:12].strip() or "Network"


class _UnfitNodeError(Exception):
    """An operator whose sizes exclude each other, in words."""


def _describe(node: Node, vocabulary: Vocabulary, exclude: Collection[str], empty: bool = False) -> Entry:
    """Return the report on an operator and its rows.

    Args:
        node: the operator.
        vocabulary: vocabulary of the format.
        exclude: operators that engines may leave out.
        empty: whether a person gives a size of 0; a product of nothing is then no work.
    """
    if node.prepared:
        return Entry(node.operator, PREPARED, [])
    operator, reason = node.operator, node.reason or _reason_of_layout(node)
    try:
        rows = vocabulary.compute_rows(node)
        if rows is not None and _all_positive(rows):
            return Entry(operator, COMPUTED, *with_weights(node, rows))
        if rows is not None and empty:
            return Entry(operator, FOLDED, *with_weights(node, [folded_row(node, "reshape")]))
        if rows is not None:
            raise UnknownSizeError(_EMPTY)
    except ContradictionError as error:
        sizes = in_words(None if tensor is None else tensor.shape for tensor in node.inputs)
        raise _UnfitNodeError(f"{node.operator} {node.name} of {sizes} ({error})") from error
    except UnknownSizeError as error:
        # Computed, but of a kind or size that no cost model has: three directions, a shape that depends on the data.
        operator, reason = f"{node.operator} ({_reason(node)})", str(error)
    else:
        kind = vocabulary.folded_kind(node)
        if kind is not None:
            return Entry(operator, FOLDED, *with_weights(node, [folded_row(node, kind)]))
    excluded = operator in exclude or node.operator in exclude
    row = {**folded_row(node, "unpriced"), "operator": operator}
    row |= {"excluded": True} if excluded else {}
    return Entry(operator, EXCLUDED if excluded else UNPRICED, [row], reason=reason)


def _with_bits(graph: ImportedGraph, node: Node, entry: Entry) -> Entry:
    """Return the same with the bits of an operator that reads quantised tensors."""
    bits = graph.bits.get(node.outputs[0].name) if node.outputs else None
    if bits is None or entry.treatment not in (COMPUTED, FOLDED):
        return entry
    return replace(entry, rows=[{**row, **bits.fields()} for row in entry.rows])


def _reason_of_layout(node: Node) -> str:
    """Return why an operator of ONNX Runtime's own layouts of memory has no cost model; "" for all others."""
    if ".nchwc." not in node.operator and ".nhwc." not in node.operator:
        return ""
    return "its layout is of one processor; save the network with ONNX Runtime's optimisation level extended or lower"


def _with_reads(graph: ImportedGraph, entries: Sequence[Entry]) -> list[Entry]:
    """Return the same with the rows that each operator reads, wherever that is not the row before it alone.

    The first reads the input.

    The first row of an operator reads all its inputs, each other one the row before; `inputs` of a row are the numbers of those
    that it reads where it is not so.
    """
    # Tensor -> rows that made it, `INPUT` for those that the network is given.
    made_by: dict[str, tuple[int, ...]] = {tensor.name: (INPUT,) for tensor in graph.inputs}
    with_reads, first = [], 0
    for node, entry in zip(graph.nodes, entries, strict=True):
        made = [() if tensor is None else made_by.get(tensor.name, ()) for tensor in node.inputs]
        sources = {row for each in made for row in each}
        rows = list(entry.rows)
        for place, row in enumerate(rows):
            inputs = row.get("inputs")
            if place and inputs is None:
                continue
            read = sources if inputs is None else {each for number in inputs for each in made[number]}
            read = read | {first + place - 1} if place else read
            if inputs is not None:
                row = {name: value for name, value in row.items() if name != "inputs"}
            before = first + place - 1
            rows[place] = row if before >= 0 and read == {before} else {**row, "reads": listed_reads(read)}
        # What has no rows of its own passes on what it reads.
        makers = (first + len(rows) - 1,) if rows else tuple(sources)
        made_by |= dict.fromkeys((tensor.name for tensor in node.outputs), makers)
        with_reads.append(replace(entry, rows=rows, loop=node.loop))
        first += len(rows)
    return with_reads


def _check_exclusions(described: Sequence[tuple[Node, Entry]], exclude: Collection[str]) -> None:
    left = [(node, entry) for node, entry in described if entry.treatment in (UNPRICED, EXCLUDED)]
    unpriced = {name for node, entry in left for name in (node.operator, entry.operator)}
    for name in exclude:
        if name not in unpriced:
            accepted = f"one of the operators without a cost model: {', '.join(sorted(unpriced)) or 'there are none'}"
            raise ProblemError("exclude", name, accepted)


def _all_positive(rows: list[Row]) -> bool:
    return all(row.get(name, 1) > 0 for row in rows for name in ("k", "c", "r", "s", "y", "x", "repeats"))


def _reason(node: Node) -> str:
    shapes = [tensor.shape for tensor in node.inputs if tensor is not None]
    if any(shape is None for shape in shapes):
        return NOT_KNOWN
    sizes = [" × ".join(map(str, shape)) for shape in shapes[:2] if shape is not None]
    return " and ".join(sizes) or NOT_KNOWN


def _checked(content: Mapping[str, Any]) -> Network:
    try:
        return load_network(content)
    except WorkloadError as error:
        raise ProblemError.of(error, _place(error.key, content)) from error


def _place(key: str, content: Mapping[str, Any]) -> str:
    """Return the key with the name of the operator in place of its number."""
    match = re.match(r"operations\.(\d+)(.*)", key)
    return key if match is None else f"{content['operations'][int(match[1])]['name']}{match[2]}"


_EMPTY = "a tensor of it is empty"
_HOLDERS = ("If", "Loop", "Scan")  # operators that hold graphs
_MOST_OPEN = 12  # sizes that are asked for at once; others mostly follow from the first
_SUMMARY_LENGTH = 2000
_WORDS = {
    UNPRICED: "Without a cost model",
    EXCLUDED: "Left out, as asked",
    COMPUTED: "Computed",
    FOLDED: "Fused into the layer before",
    PREPARED: "Computed once, before any sample",
}
_ORDER = tuple(_WORDS)
