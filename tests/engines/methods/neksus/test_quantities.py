from engines.contract.quantities import objectives_of
from engines.methods.neksus.params import NeksusParams
from engines.methods.neksus.quantities import CHOICE, LIMITS, OBJECTIVES, QUANTITIES, objective_columns


def test_switches_choose_what_spans_the_front() -> None:
    only_cost = NeksusParams.model_validate({switch: column == "cost_usd" for column, switch in OBJECTIVES.items()})
    assert objective_columns(only_cost) == ("cost_usd",)
    assert [each.name for each in objectives_of(CHOICE.roles(QUANTITIES, only_cost))] == ["cost_usd"]


def test_every_limit_is_on_a_column() -> None:
    assert {limit.column for limit in LIMITS} <= {quantity.name for quantity in QUANTITIES}
    assert {limit.param for limit in LIMITS} <= set(NeksusParams.model_fields)
