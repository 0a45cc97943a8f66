"""What a problem gives as backbones: one network, measured exits, a trained supernet, or nothing."""

from __future__ import annotations

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.methods.hadas.exit_measurements import MeasuredExits
from engines.methods.hadas.params import HadasParams
from engines.supernets.weights_document import SupernetWeights
from engines.workloads.network import Network, Scenario
from hardware.errors import Remedy


def weights_of(problem: Problem[HadasParams]) -> SupernetWeights | None:
    """The supernet whose subnets are searched, if it is that."""
    weights = problem.optional("weights", SupernetWeights)
    for other in ("workload", "exits"):
        if weights is not None and other in problem.inputs:
            reason = "One of the two inputs names the network."
            accepted = f"empty, or {other} empty"
            raise ProblemError("inputs.weights", problem.inputs["weights"].slug, accepted, reason=reason)
    return weights


def network_of(problem: Problem[HadasParams], measured: MeasuredExits | None) -> Network | None:
    """The one network that gets exits, or has them; None where the space is searched."""
    if measured is None:
        return problem.value("workload", Scenario).models[0].network if "workload" in problem.inputs else None
    if "workload" in problem.inputs:
        raise ProblemError(
            "inputs.workload", problem.inputs["workload"].slug, "empty", reason="Measured exits name their network."
        )
    return measured.network


def check_rules(params: HadasParams, measured: MeasuredExits | None) -> None:
    """Rules need to know how sure exits are, which is measured and never assumed."""
    if params.leaving == "ideal":
        return
    if measured is None or measured.sure is None:
        lacks = "The input exits is empty." if measured is None else "The exits of the input lack confidence values."
        way = "Choose measured exits." if measured is None else "Train the exits again with train-exits."
        ways: list[str | Remedy] = [way, Remedy.to_set("params.leaving", "ideal")]
        reason = f"Rules need confidence values. {lacks}"
        raise ProblemError("params.leaving", params.leaving, "ideal", reason=reason, remedies=ways)
    if params.inner != "exact":
        reason = "The published search knows only the ideal mapping."
        ways = [Remedy.to_set("params.inner", "exact"), Remedy.to_set("params.leaving", "ideal")]
        raise ProblemError("params.inner", params.inner, "exact", reason=reason, remedies=ways)
