"""The data set of an input that engines learn from, and torch."""

from __future__ import annotations

import importlib.util
from typing import Any

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.data.documents import DEFAULT, ImageData, builtin_data_sets, load_image_data


def image_data_of(problem: Problem[Any]) -> ImageData:
    """Return the data set of the slot "data", else the bundled digits; signals are images of one column."""
    found = problem.optional("data", ImageData)
    return load_image_data(builtin_data_sets()[DEFAULT]) if found is None else found


# Processor time on one core, forward and backward, of convolutions on the bundled digits: four generations of eight networks of
# sbrs-search and two final trainings take 21 s (`ENGINES=sbrs-search python benchmarks/bench_estimates.py` measures them).
_SECONDS_PER_MAC_AND_EXAMPLE = 2.7e-10
_SECONDS_PER_STEP = 2.7e-3
_START_S = 3.0  # torch


def training_seconds(epochs: float, examples: int, macs: float, batch_size: int) -> float:
    """Return the processor time of trainings, and of the start of torch.

    Args:
        epochs: epochs of all trainings together.
        examples: examples of an epoch.
        macs: multiply-accumulates of the network for one example.
        batch_size: examples of a step.
    """
    epoch_s = examples * macs * _SECONDS_PER_MAC_AND_EXAMPLE + examples / batch_size * _SECONDS_PER_STEP
    return epochs * epoch_s + _START_S


def require_torch() -> None:
    """Raise `ProblemError` where torch is not installed."""
    if importlib.util.find_spec("torch") is None:
        ways = ["Install torch with `paretoscope add torch`, in a checkout with `make up`."]
        accepted = "an engine without torch, or a site with torch"
        raise ProblemError("engine", "torch is not installed", accepted, remedies=ways)
