"""Mappings of a network whose operators run fused, against the same network with every operator launched."""

from __future__ import annotations

import pytest

from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.contract.plan import Plan
from engines.registry import get_engine
from engines.running.inspection import estimator, explain, plan
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.problems import mapping_problem


def _bert(fusion: str, **params: object) -> Problem:
    return mapping_problem({"fusion": fusion, "unmeasured": "assumed", **params}, "bert-base-128")


def _launches(fusion: str, granularity: str) -> tuple[int, float]:
    """Layers that run and their launch overhead in seconds, with all blocks on the GPU."""
    problem = _bert(fusion, granularity=granularity)
    ready = ready_of(get_engine("soc-mapping"), problem)
    units = ["gpu"] * len(ready.instance.blocks)
    breakdown = next(each for each in explain(problem, {"units": units}) if each.name == "layer-latency")
    return len(breakdown.bars), float(breakdown.values[:, 0].sum())


@pytest.mark.parametrize("granularity", ["blocks", "layers"])
def test_fused_attention_takes_three_launches_less_per_block_of_bert(granularity: str) -> None:
    (layers, seconds), (fewer, fused_s) = _launches("none", granularity), _launches("attention", granularity)
    assert layers - fewer == 12 * 3
    assert fused_s / seconds == pytest.approx(fewer / layers)


def test_estimates_of_fused_operators_are_predicted_without_an_error_band_and_say_so() -> None:
    plain, fused = estimator(_bert("none")), estimator(_bert("attention"))
    assert (plain.certainty, fused.certainty) == ("calibrated", "predicted")
    assert plain.error_factors and not fused.error_factors and "operators fused" in fused.words
    assert "12 groups of operators count as one launch each: 139 operators are launched." in _notes(
        plan(_bert("attention"))
    )
    assert "No operators are fused" in _notes(plan(_bert("elementwise")))


def _notes(found: Plan) -> str:
    return " ".join(found.notes)


def test_units_with_a_dataflow_have_nothing_to_fuse() -> None:
    problem = mapping_problem({"fusion": "attention"}, "magnas-pvig-m-products", hardware="three-dataflow-accelerators")
    with pytest.raises(ProblemError, match=r"params\.fusion"):
        plan(problem)
