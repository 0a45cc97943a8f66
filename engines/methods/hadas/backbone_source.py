"""What a problem gives as backbones: one network, measured exits, a trained supernet, or nothing."""

from __future__ import annotations

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.methods.hadas.exit_measurements import MeasuredExits
from engines.methods.hadas.params import HadasParams
from engines.supernets.weights_document import SupernetWeights
from engines.workloads.network import Network, Scenario


def weights_of(problem: Problem[HadasParams]) -> SupernetWeights | None:
    """Return the supernet whose subnets are searched, if it is that."""
    weights = problem.optional("weights", SupernetWeights)
    for other in ("workload", "exits"):
        if weights is not None and other in problem.inputs:
            raise ProblemError(
                "inputs.weights",
                problem.inputs["weights"].slug,
                f"empty, or {other} empty: one of them names the network",
            )
    return weights


def network_of(problem: Problem[HadasParams], measured: MeasuredExits | None) -> Network | None:
    """Return the one network that gets exits, or has them; None where the space is searched."""
    if measured is None:
        return problem.value("workload", Scenario).models[0].network if "workload" in problem.inputs else None
    if "workload" in problem.inputs:
        raise ProblemError(
            "inputs.workload", problem.inputs["workload"].slug, "empty: measured exits name their network"
        )
    return measured.network


def check_rules(params: HadasParams, measured: MeasuredExits | None) -> None:
    """Check that the exits have measured confidence, which rules need and which is never assumed."""
    if params.leaving == "ideal":
        return
    if measured is None or measured.sure is None:
        lacks = (
            "measured exits in the input exits"
            if measured is None
            else "exits trained again: these lack how sure they are"
        )
        error = ProblemError("params.leaving", params.leaving, f"ideal, or rules with {lacks}")
        error.remedies = (("params.leaving", "ideal"),)
        raise error
    if params.inner != "exact":
        error = ProblemError("params.inner", params.inner, "exact: the published search knows the ideal mapping alone")
        error.remedies = (("params.inner", "exact"), ("params.leaving", "ideal"))
        raise error
