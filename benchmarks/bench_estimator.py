"""The estimator of many networks on one board: mappings told in a second, beside the encoder that it is compared with in Table 2.

How well the shipped one tells classes stands in its document; measured here is MapFormer with it: time, and share of the bound.
`TRAIN=1 make bench ARGS=estimator` trains one at the defaults besides.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from itertools import product
from statistics import median
from typing import Any

import numpy as np

from benchmarks.report import Figure, show, tell
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.estimator.classes import HEADS
from engines.methods.mapformer.estimator.document import builtin_for
from engines.methods.mapformer.estimator.shape import EstimatorShape
from engines.methods.mapformer.problem.instance import instance_of
from engines.methods.mapformer.reproduction.mixes import problem_of
from engines.methods.mapformer.training.engine import TrainEstimatorEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.workloads.families.image_mixes import drawn_mix

BOARD = "jetson-agx-xavier"
MIXES, SIZES, MODES_W = 10, (6, 8, 10), (10.0, 15.0, 30.0)
LEAST_PER_S, LEAST_NEAR, MOST_ANSWER_S, MOST_TRAINING_S = 1000.0, 80.0, 2.0, 900.0
_TOLD, _TOLD_BY_LARGE = 4096, 8
LARGE = {"layers": 24, "heads": 16, "width": 1024, "inner": 4096}  # Table 2, "casual"


def told_per_s(shape: EstimatorShape, count: int) -> float:
    """Return mappings of ten networks, in up to three segments each, that an estimator of that size reads per core second."""
    import torch

    from engines.data.torch_images import pinned
    from engines.methods.mapformer.estimator.network import Estimator
    from engines.methods.mapformer.estimator.sequence import sequences_of
    from engines.methods.mapformer.estimator.trainer import probabilities

    instance = instance_of(problem_of(drawn_mix(10, 0)))
    mappings = instance.space.drawn(np.random.default_rng(0), count)
    with pinned("cpu"), torch.no_grad():
        estimator = Estimator(replace(shape, clocks=instance.board.rows))
        probabilities(estimator, sequences_of(instance.board, mappings.take(np.arange(2)), shape.networks))
        begin = time.process_time()
        probabilities(estimator, sequences_of(instance.board, mappings, shape.networks))
        return count / (time.process_time() - begin)


def accuracy() -> list[Figure]:
    """Return the accuracy of the shipped estimator on held-out mappings, from its document."""
    said = builtin_for(BOARD)
    assert said is not None
    found = []
    for words, own in (("held-out mixes", said.accuracy.held_out), ("networks never seen", said.accuracy.unseen)):
        for head in HEADS if own is not None else ():
            near, exact = (100 * getattr(own, f"{head}_{kind}") for kind in ("near", "exact"))
            limit = LEAST_NEAR if own is said.accuracy.held_out else None
            found.append(Figure(f"{words}: {head} within one class", near, "%", limit, higher_is_better=True))
            found.append(Figure(f"{words}: {head}, exact class", exact, "%"))
    return found


def answers() -> list[Figure]:
    """Return the MapFormer over 30 mixes: share of the bound of the fastest mapping handed over that keeps the limit, and time."""
    shares, times = [], []
    for number, (size, mix) in enumerate(product(SIZES, range(MIXES))):
        plain = problem_of(drawn_mix(size, mix), MODES_W[number % len(MODES_W)])
        params: dict[str, Any] = {**plain.params.model_dump(), "manager": "mapformer"}
        problem = make_problem("mapformer", dict(plain.inputs), params, 0)
        begin = time.process_time()
        last = list(drive(MapFormerEngine(), problem, LocalContext(problem)))[-1]
        times += [time.process_time() - begin] if size == max(SIZES) else []
        shares.append(100 * last.metrics.get("bound_fraction", 0.0))
    return [
        Figure("MapFormer, share of the bound, median of 30 mixes", median(shares), "%"),
        Figure("MapFormer, mixes of 30 in which a mapping keeps the limit", float(np.count_nonzero(shares)), ""),
        Figure("MapFormer, answer for 10 networks, median", median(times), "s", MOST_ANSWER_S),
    ]


def training() -> list[Figure]:
    """At the defaults."""
    problem, begin = (
        make_problem("train-estimator", {"hardware": get_builtin("hardware", BOARD)}, {}),
        time.process_time(),
    )
    last = None
    for step in drive(TrainEstimatorEngine(), problem, LocalContext(problem)):
        tell(step.message)
        last = step
    assert last is not None
    took = time.process_time() - begin
    return [
        Figure("training at the defaults, processor time", took, "s", MOST_TRAINING_S),
        *(
            Figure(f"{name} of it", 100 * last.metrics[name], "%")
            for name in ("throughput_near_fraction", "power_near_fraction")
        ),
    ]


def main() -> int:
    """Measure, and compare with the limits."""
    own = EstimatorShape(4, 1)
    figures = [
        Figure(
            "mappings told in a second, 10 networks", told_per_s(own, _TOLD), "/s", LEAST_PER_S, higher_is_better=True
        ),
        Figure("the same by the encoder of 303 M (Table 2)", told_per_s(replace(own, **LARGE), _TOLD_BY_LARGE), "/s"),
        *accuracy(),
        *answers(),
        *(training() if os.environ.get("TRAIN") else []),
    ]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
