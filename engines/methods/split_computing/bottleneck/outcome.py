"""The search of trained parts, and what a run ends with: the best design, weights, documents. Without torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, File, Step
from engines.contract.integer_format import counted, many
from engines.contract.results import Note, Result, Table, TableColumn
from engines.learning.curves import loss_curve
from engines.methods.split_computing.bottleneck.document import DOCUMENT_FILE, SCHEMA
from engines.methods.split_computing.bottleneck.measuring import Bench, decision_of, decoded, words_of
from engines.methods.split_computing.bottleneck.params import TrainBottleneckParams
from engines.methods.split_computing.bottleneck.shapes import (
    OPERATOR_TITLES,
    OPERATORS,
    BranchDesign,
    network_content,
)
from engines.search.strategies import Search
from hardware.soc.summary import unit_title

WEIGHTS_FILE, TUNED_FILE, NETWORK_FILE = (
    "bottlenecks.safetensors",
    "branches.safetensors",
    "branch-with-bottleneck.json",
)
TRAINING_SHARE = 0.6


def measured_steps(search: Search[BranchDesign]) -> Iterator[Step]:
    """Measure the original, then the designs of one bottleneck after the other."""
    record, kept = search.record, search.beginning.kept
    bench: Bench = search.beginning.context
    params, original = bench.ready.params, bench.ready.shape.original
    curves = loss_curves(kept["losses"].tolist(), params)
    if not record.told:
        label = ["Without a bottleneck"]
        record.add(Designs(bench.columns([original]), [decision_of(original)], label=label), "baseline")
    chosen = bench.searched(params.cost, params.targets)
    together = len(chosen) // len(bench.ready.bottlenecks)
    for begin in range(record.told - 1, len(chosen), together):
        if record.context.stop_requested():
            return
        designs = chosen[begin : begin + together]
        record.add(Designs(bench.columns(designs), [decision_of(design) for design in designs]))
        fraction = TRAINING_SHARE + (1 - TRAINING_SHARE) * (begin + together) / (len(chosen) + 1)
        words = f"{begin + together} of {len(chosen)} designs measured"
        yield record.step(fraction, words, curves, state=kept)


def report(designs: Designs, bench: Bench) -> tuple[Result, ...]:
    """Return the best design, all parts, and what the search leaves open."""
    best, note = _best(designs, bench), _search_note(bench, len(designs) - 1)
    return bench.before_and_after(best), _parts_table(bench), note


def ending(designs: Designs, bench: Bench) -> tuple[str, tuple[File, ...]]:
    """Return weights of all parts and of the best design, and the documents of both."""
    ready, data, best, trainer = bench.ready, bench.ready.data, _best(designs, bench), bench.trainer
    weights, tuned = trainer.state(), trainer.tuned_weights(best)
    accuracy = 100 * float(bench.scores(ready.shape.original).right[-1])
    document: dict[str, Any] = {
        "schema": SCHEMA, "slug": f"bottlenecks-on-{data.slug}"[:80].rstrip("-"), "title": f"Bottlenecks on {data.title}"[:2000],
        "summary": "", "source": "trained by the engine train-bottleneck (odema-2024 section 5.3)",
        "file": {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights)},
        "images": data.slug, "device": f"{ready.covered.soc.title}, {unit_title(ready.pricer.unit)}",
        "original_accuracy_percent": accuracy,
        "designs": [_section(bench, designs, row) for row in range(1, len(designs))],
        "training": {**ready.params.model_dump(mode="json"), "seed": ready.seed},
    }  # fmt: skip
    network = network_content(
        ready.shape, best, "branch-with-bottleneck", f"Branch with a bottleneck: {words_of(best)}"
    )
    files = (
        File(WEIGHTS_FILE, "application/octet-stream", weights),
        File(TUNED_FILE, "application/octet-stream", tuned),
        File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, _json(document)),
        File(NETWORK_FILE, DOCUMENT_MEDIA_TYPE, _json(network)),
    )
    return f"{many(len(designs) - 1, 'design')} measured", files


def _best(designs: Designs, bench: Bench) -> BranchDesign:
    """Return the most accurate of the search, then what sends least, then what computes least."""
    columns = designs.columns
    keys = (columns["macs"][1:], columns["sent_bytes"][1:], -columns["accuracy_percent"][1:])
    return decoded(bench.ready, designs.decisions[1 + int(np.lexsort(keys)[0])])


def _section(bench: Bench, designs: Designs, row: int) -> dict[str, Any]:
    design, columns = decoded(bench.ready, designs.decisions[row]), designs.columns
    costs, found = bench.ready.costs(design), design.bottleneck
    assert found is not None  # only the original has none
    seconds = costs.encoder_s + costs.tail_s
    return {
        "channels": found.channels, "stride": found.stride, "blocks": list(design.blocks), "sent_bytes": costs.sent_bytes,
        "macs": sum(costs.macs.values()), "encoder_s": costs.encoder_s, "tail_s": costs.tail_s,
        "power_w": sum(costs.energy_j.values()) / seconds,
        "accuracy_percent": float(columns["accuracy_percent"][row]),
        "test_accuracy_percent": float(columns["test_accuracy_percent"][row]),
    }  # fmt: skip


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, allow_nan=False).encode()


def _parts_table(bench: Bench) -> Table:
    """Return every part that was distilled, with how far it is from its block and what it takes."""
    ready = bench.ready
    places, parts, deviations, macs = list[str](), list[str](), list[float](), list[float]()
    for bottleneck, deviation in zip(ready.bottlenecks, bench.deviations[0], strict=True):
        design = BranchDesign(bottleneck, ready.shape.original.blocks)
        costs = ready.costs(design).macs
        places.append("Block 1")
        parts.append(f"Bottleneck: {words_of(design)}")
        deviations.append(float(deviation))
        macs.append(2 * (costs["encoder"] + costs["decoder"]))
    for number, (values, costs_of) in enumerate(
        zip(bench.deviations[1:], ready.operator_costs("macs"), strict=True), start=2
    ):
        for operator, deviation, cost in zip(OPERATORS, (0.0, *values.tolist()), costs_of.tolist(), strict=True):
            places.append(f"Block {number}")
            parts.append(OPERATOR_TITLES[operator])
            deviations.append(deviation)
            macs.append(cost)
    return Table(
        "distilled", "Parts and their blocks",
        (
            TableColumn("In place of", tuple(places)), TableColumn("Part", tuple(parts)),
            TableColumn("Deviation", np.array(deviations)), TableColumn("MACs of both branches", np.array(macs)),
        ),
    )  # fmt: skip


def _search_note(bench: Bench, measured: int) -> Note:
    count = len(bench.ready.bottlenecks) * len(OPERATORS) ** (len(bench.ready.shape.widths) - 1)
    text = (
        f"{counted(measured)} of {counted(count)} designs were assembled and measured: for every bottleneck "
        "those whose parts "
    )
    text += "deviate least together at each target of cost. The walk finds the least sum for certain; that a smaller sum loses "
    text += "less accuracy is the method's assumption, and a design that was not measured may be better."
    return Note("proof", "How good these designs are for certain", text, role="proof")


def loss_curves(losses: Sequence[float], params: TrainBottleneckParams) -> tuple[Result, ...]:
    """Return the losses of both trainings by epoch."""
    epochs = params.epochs
    phases = {
        "Branches: cross-entropy": (0, epochs),
        "Parts: squared distance": (epochs, epochs + params.distillation_epochs),
    }
    return (loss_curve(losses, phases),)
