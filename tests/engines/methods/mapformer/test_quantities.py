"""What decisions show beside figures."""

from engines.contract.decision_columns import decided_cells
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES
from tests.engines.methods.mapformer.problems import mix_problem


def test_units_are_shown_with_the_layers_that_each_runs() -> None:
    decision = {"networks": [[[3, "gpu"], [6, "cpu"]], [[5, "dla"]]], "clocks_mhz": {"gpu": 675.0, "dla": "off"}}
    assert decided_cells(DECISION_COLUMNS, decision) == {
        "networks": ("gpu (3) → cpu (3)", "dla (5)"), "clocks_mhz.gpu": 675.0, "clocks_mhz.dla": "off",
    }  # fmt: skip


def test_a_decision_without_networks_shows_none() -> None:
    assert decided_cells(DECISION_COLUMNS, {})["networks"] is None


def test_the_limit_is_of_a_column_and_a_parameter() -> None:
    params = type(mix_problem().params)
    assert {limit.column for limit in LIMITS} <= {each.name for each in QUANTITIES}
    assert {limit.param for limit in LIMITS} <= set(params.model_fields)
    assert MapFormerEngine().limits == LIMITS
