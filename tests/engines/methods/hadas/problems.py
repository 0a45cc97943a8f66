"""Small problems of the search for exits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.contract.engine import Document, Problem
from engines.contract.results import Breakdown, Result
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.hadas.training.shapes import BackboneShape, network_content
from engines.testing.conformance import TinyProblem


def single_problem(
    params: Mapping[str, Any] | None = None, workload: str = "attentivenas-a0", seed: int = 0
) -> Problem:
    """Exits and clocks of one network on Jetson TX2."""
    documents = {"hardware": get_builtin("hardware", "jetson-tx2"), "workload": get_builtin("workload", workload)}
    return make_problem("hadas", documents, {"clock_steps": 3, **(params or {})}, seed=seed)


def space_problem(params: Mapping[str, Any] | None = None, seed: int = 0) -> Problem:
    """The space on Jetson TX2."""
    given = {"clock_steps": 2, "evaluations": 16, "population": 4, "inner_evaluations": 60, "inner_population": 20}
    return make_problem("hadas", {"hardware": get_builtin("hardware", "jetson-tx2")}, given | (params or {}), seed=seed)


def tiny_hadas() -> TinyProblem:
    """Four generations of backbones; no input passes the stem in 1 ns."""
    return TinyProblem(space_problem({"baselines": False}), space_problem({"latency_limit_s": 1e-9}))


def exits_problem(params: Mapping[str, Any] | None = None, seed: int = 1) -> Problem:
    """A training of exits on the bundled digits."""
    given = {"blocks": 3, "width": 4, "exit_channels": 4, "epochs": 1, "exit_epochs": 2, "measured_examples": 40}
    return make_problem("train-exits", {}, given | (params or {}), seed=seed)


def tiny_exits() -> TinyProblem:
    """Three epochs; there is no limit that could be impossible."""
    pytest.importorskip("torch")
    return TinyProblem(exits_problem(), totals=right_of)


def right_of(results: tuple[Result, ...]) -> Mapping[str, float]:
    """The share of images that is right where it leaves."""
    shares = next(result for result in results if isinstance(result, Breakdown))
    return {"accuracy_percent": 100 * float(shares.values[:, 0].sum())}


def measured_document(right: list[str] | None = None, **changes: Any) -> Document:
    """Two exits of a small backbone; of four images one is right nowhere, one at the first exit alone."""
    shape = BackboneShape(1, 8, 10, (8, 16, 32), (1, 2, 2))
    content = {
        "schema": "measured-exits/1", "slug": "tiny-exits", "title": "Tiny exits", "summary": "", "source": "made up for tests",
        "file": {"sha256": "0" * 64, "size_bytes": 1},
        "network": network_content(shape, "tiny", "Tiny"),
        "exits": [{"after": "block1", "operations": 3}, {"after": "block2", "operations": 6}],
        "classes": 10, "exit_channels": 8, "right": right or ["111", "100", "011", "000"], "training": {},
        **changes,
    }  # fmt: skip
    return Document("weights", "tiny-exits", 1, content)


def measured_problem(params: Mapping[str, Any] | None = None, document: Document | None = None) -> Problem:
    """Measured exits on Jetson TX2."""
    inputs = {"hardware": get_builtin("hardware", "jetson-tx2"), "exits": document or measured_document()}
    return make_problem(
        "hadas", inputs, {"clock_steps": 3, "inner_evaluations": 40, "inner_population": 10, **(params or {})}
    )


# Four images at two exits: the first is sure and right, the second sure and right at the first exit alone.
SURE = {
    "temperatures": [1.0, 1.5],
    "largest_probability": ["950990", "910300", "400970", "500500"],
    "entropy": ["900980", "850200", "300950", "400400"],
}


def with_sure(**changes: Any) -> Document:
    """The same exits, with how sure they are."""
    return measured_document(sure={**SURE, **changes})


def ruled_problem(params: Mapping[str, Any] | None = None) -> Problem:
    """Measured exits by whose rules inputs leave."""
    return measured_problem({"leaving": "rules", **(params or {})}, with_sure())
