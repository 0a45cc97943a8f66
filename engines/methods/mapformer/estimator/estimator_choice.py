"""Which estimator a problem has: the one that was given, else the one that ships for the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.methods.mapformer.estimator.document import TrainedEstimator, builtin_for
from engines.methods.mapformer.estimator.fitting import check_mix, clock_rows

if TYPE_CHECKING:
    from engines.methods.mapformer.problem.instance import MixInstance

TOLD_BY_ESTIMATOR = ("mapformer",)  # managers that need one


def estimator_of(problem: Problem[Any], instance: MixInstance) -> TrainedEstimator | None:
    """The estimator, where the manager needs one; one that is given must fit in any case.

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
        accepted = (
            f"an estimator for {instance.soc.slug}, as the manager asks one and none ships for this device: the engine "
        )
        raise ProblemError("inputs.weights", None, accepted + "train-estimator makes one")
    clock_rows(said, instance.board, instance.soc.slug)
    check_mix(said, instance.board, instance.space.segments)
    return said
