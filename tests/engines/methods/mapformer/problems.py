"""Small mixes for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from engines.contract.engine import Document, Problem
from engines.contract.results import Matrix, Result, Schedule, Table
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.managers.manager import Task
from engines.methods.mapformer.problem.fairness import Fairness
from engines.methods.mapformer.problem.space import Space
from engines.simulation.board import Board
from engines.testing.conformance import TinyProblem
from tests.engines.methods.map_and_conquer.problems import chain
from tests.engines.methods.mapformer.oracle import Oracle


def mix(*sizes: tuple[int, int], **terms: Any) -> Document:
    """Chains of so many layers of such a width; `terms` are of the first model."""
    models = []
    for number, (layers, width) in enumerate(sizes):
        content = {**chain(layers, width).content, "slug": f"chain-{number + 1}"}
        models.append({"network": content, "batch": 1, **(terms if not number else {})})
    content = {"schema": "scenario/1", "slug": "mix", "title": "Mix", "source": "made up for tests", "models": models}
    return Document("workload", "mix", 1, content)


def mix_problem(
    params: Mapping[str, Any] | None = None, workload: Document | str | None = None, seed: int = 0,
    hardware: str = "jetson-agx-xavier",
) -> Problem:  # fmt: skip
    """Two chains on Jetson AGX Xavier by default, at few clocks."""
    network = mix((3, 16), (2, 32)) if workload is None else workload
    documents = {
        "hardware": get_builtin("hardware", hardware),
        "workload": network if isinstance(network, Document) else get_builtin("workload", network),
    }
    usual = {"clock_choices": "cpu: 1190 2265; gpu: 675 1377; dla: 550 1395"} if hardware == "jetson-agx-xavier" else {}
    return make_problem("mapformer", documents, {**usual, **(params or {})}, seed=seed)


def tiny(manager: str = "ours") -> TinyProblem:
    """Some rounds of search; nothing runs on 0.55 W."""
    params = {"manager": manager, "evaluations": 3000, "segments": 2, "power_limit_w": 20.0}
    problem = mix_problem(params, mix((6, 16), (5, 32), (4, 8)), seed=3)
    return TinyProblem(problem, mix_problem({**params, "power_limit_w": 0.55}), totals_of)


def totals_of(results: tuple[Result, ...]) -> dict[str, float]:
    """Return the mean throughput of the networks; the bars of a unit add up to how long it is busy."""
    totals = {}
    for result in results:
        if isinstance(result, Table) and result.name == "networks":
            totals["throughput_per_s"] = float(np.asarray(result.table_columns[1].values, dtype=np.float64).mean())
        elif isinstance(result, Schedule):
            for number, lane in enumerate(result.lanes):
                own = result.bar_lane == number
                busy = float((result.bar_end_s - result.bar_start_s)[own].sum())
                np.testing.assert_allclose(busy, lane.busy_fraction, rtol=1e-9)
    return totals


def task(
    board: Board,
    segments: int = 2,
    power_limit_w: float = np.inf,
    evaluations: int = 20_000,
    seed: int = 0,
    least_share: float = 0.0,
) -> Task:
    """What a manager is asked for on a board by itself."""

    def random(*names: str | int) -> np.random.Generator:
        return np.random.default_rng([seed, *(sum(str(name).encode()) for name in names)])

    kinds: Sequence[str] = ("cpu", "gpu", "npu", "npu")
    macs = tuple(1e3 * network.moved_bytes for network in board.networks)
    found = Task(
        board, Space(board, segments), power_limit_w, Fairness.on(board, segments, least_share), evaluations, random,
        tuple(kinds[: len(board.units)]), macs,
    )  # fmt: skip
    return replace(found, estimator=cast(Any, Oracle(board, segments)), device="jetson-agx-xavier")


TINY_TRAINING = {
    "mixes": 12, "mappings": 6, "held_out_mixes": 6, "held_out_mappings": 4, "unseen_networks": 1, "epochs": 2,
    "batch_size": 16, "layers": 1, "width": 8, "most_networks": 3, "segments": 2,
}  # fmt: skip


def training_problem(params: Mapping[str, Any] | None = None, seed: int = 1) -> Problem:
    """An estimator of mixes of four chains."""
    documents = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": mix((6, 16), (5, 32), (4, 8), (3, 64)),
    }
    return make_problem("train-estimator", documents, {**TINY_TRAINING, **(params or {})}, seed=seed)


def tiny_training() -> TinyProblem:
    """Ten reports; there is no limit that could be impossible."""
    pytest.importorskip("torch")
    return TinyProblem(training_problem(), totals=near_of)


def near_of(results: tuple[Result, ...]) -> dict[str, float]:
    """Shares within one class that the confusion shows."""
    found = {}
    for result in results:
        if isinstance(result, Matrix):
            rows, columns = np.indices(result.values.shape)
            near = result.values[np.abs(rows - columns) <= 1].sum() / result.values.sum()
            found[f"{result.name.removeprefix('confusion-')}_near_fraction"] = float(near)
    return found
