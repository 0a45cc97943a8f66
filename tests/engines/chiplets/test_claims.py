from __future__ import annotations

import pytest

from engines.chiplets.claims import Claim, best_metrics, compare_claim, holding_words, read_claim
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import with_dataflow
from engines.contract.errors import ProblemError
from tests.engines.methods.scar.problems import scar_problem

MODELS = {name: ScheduleParams(cost_model=name) for name in ("dataflow", "ideal-array")}


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("edp(a) < edp(b)", Claim("edp", "a", "b", True)),
        (" latency(mine/a@2)>latency(b) ", Claim("latency", "mine/a@2", "b", False)),
    ],
)
def test_a_claim_is_read(text: str, claim: Claim) -> None:
    assert read_claim(text) == claim


@pytest.mark.parametrize(
    "text", ["", "edp(a)", "edp(a) < energy(b)", "cost(a) < cost(b)", "edp(a) <= edp(b)", "edp() < edp(b)"]
)
def test_another_form_is_refused(text: str) -> None:
    with pytest.raises(ProblemError, match=r"of the form edp\(PACKAGE\) < edp\(PACKAGE\)"):
        read_claim(text)


def test_a_claim_is_compared_by_the_best_schedules_under_each_model() -> None:
    problem = scar_problem()
    package, scenario = with_dataflow(problem.values["hardware"], "shi-diannao"), problem.values["workload"]
    slow = {model: best_metrics(package, scenario, "energy", params) for model, params in MODELS.items()}
    assert slow["ideal-array"].values["energy_j"] < slow["dataflow"].values["energy_j"] and slow["dataflow"].proven
    found = compare_claim(Claim("energy", "a", "b", True), {"a": package, "b": package}, scenario, MODELS)
    assert found["holds_in"] == 0 and found["metric"] == "energy_j"
    for name, each in found["estimators"].items():
        assert each["ratio"] == 1 and not each["holds"] and each["left"] == slow[name].values["energy_j"]


def test_the_models_in_which_a_claim_holds_are_named() -> None:
    models = {"dataflow": {"holds": False}, "ideal-array": {"holds": True}}
    assert holding_words(models) == "The claim holds under 1 of 2 cost models: ideal-array."
    assert holding_words({"dataflow": {"holds": False}}) == "The claim holds under none of 1 cost model."
