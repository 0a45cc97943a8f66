"""Which estimator a problem has, given or shipped, and whether it fits a board and a mix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.engine import Problem, require
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.methods.mapformer.estimator.document import TrainedEstimator, builtin_for
from engines.simulation.board import Board

if TYPE_CHECKING:
    from engines.methods.mapformer.problem.instance import MixInstance

TOLD_BY_ESTIMATOR = ("mapformer",)  # managers that need one
_NEAR = 1e-4
_TRAIN = ("Train an estimator with the engine train-estimator.",)


def estimator_of(problem: Problem[Any], instance: MixInstance) -> TrainedEstimator | None:
    """Return the estimator, where the manager needs one; one that is given must fit in any case.

    Raises:
        ProblemError: there is none for the board, or it does not fit board or mix.
    """
    given, needed = problem.optional("weights", TrainedEstimator), problem.params.manager in TOLD_BY_ESTIMATOR
    if given is not None:
        clock_rows(given, instance.board, instance.soc.slug)
    if not needed:
        return None
    said = given or builtin_for(instance.soc.slug)
    if said is None:
        reason = "The manager needs an estimator, and none is built in for this device."
        accepted = f"an estimator for {instance.soc.slug}"
        raise ProblemError("inputs.weights", None, accepted, reason=reason, remedies=_TRAIN)
    clock_rows(said, instance.board, instance.soc.slug)
    check_mix(said, instance.board, instance.space.segments)
    return said


def check_mix(said: TrainedEstimator, board: Board, segments: int) -> None:
    """Refuse a mix with more networks or segments than the estimator accepts.

    Raises:
        ProblemError: too many networks, layers or segments; names the limit.
    """
    networks, layers = len(board.networks), int(board.layers.sum())
    most = said.shape.networks
    for fits, field, got, accepted in (
        (networks <= most, "inputs.workload.models", f"{networks} networks", f"at most {most} networks"),
        (layers <= said.most_layers, "inputs.workload.models", many(layers, "layer"),
         f"at most {counted(said.most_layers)} layers together"),
        (segments <= said.segments, "params.segments", segments, f"at most {said.segments}"),
    ):  # fmt: skip
        require(fits, field, got, accepted, reason=f"This is the limit of {said.title}.", remedies=_TRAIN)


def clock_rows(said: TrainedEstimator, board: Board, soc: str) -> IntArray:
    """Return the row of the estimator's clocks for each row of the board's (`Board.rows_of`).

    Raises:
        ProblemError: it was trained for another device, or for other units or clocks; names both.
    """
    if said.board != soc:
        raise _another(f"an estimator for {said.board}", soc)
    names = tuple(unit.name for unit in board.units)
    if names != tuple(said.units):
        got = f"an estimator for {said.board} with {', '.join(said.units)}"
        raise _another(got, f"{soc} with {', '.join(names)}")
    rows, first = [], 0
    for unit in board.units:
        known = np.array(said.units[unit.name]) * 1e6
        places = [int(np.abs(known - hz).argmin()) for hz in unit.clocks_hz]
        for place, hz in zip(places, unit.clocks_hz, strict=True):
            if abs(known[place] - hz) > _NEAR * hz:
                raise _another(
                    f"an estimator for {said.board} without {hz / 1e6:g} MHz of {unit.name}", f"{soc} with it"
                )
        rows += [first, *(first + 1 + place for place in places)]
        first += len(known) + 1
    return np.array(rows, dtype=np.int64)


def _another(got: str, wanted: str) -> ProblemError:
    accepted = f"an estimator for {wanted}"
    return ProblemError("inputs.weights", got, accepted, remedies=_TRAIN)
