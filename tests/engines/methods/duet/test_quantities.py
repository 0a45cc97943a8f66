from engines.contract.quantities import objectives_of
from engines.methods.duet.params import OBJECTIVE_COLUMNS, DuetParams
from engines.methods.duet.quantities import LIMITS, OBJECTIVES, QUANTITIES, chosen_objectives


def test_switches_choose_what_spans_the_front() -> None:
    names = list(OBJECTIVE_COLUMNS)
    one = DuetParams.model_validate({name: name == names[0] for name in names})
    assert chosen_objectives(one) == (OBJECTIVE_COLUMNS[names[0]],)
    assert [each.name for each in objectives_of(OBJECTIVES.roles(QUANTITIES, one))] == [OBJECTIVE_COLUMNS[names[0]]]


def test_every_limit_is_on_a_column() -> None:
    assert {limit.column for limit in LIMITS} <= {quantity.name for quantity in QUANTITIES}
    assert {limit.param for limit in LIMITS} <= set(DuetParams.model_fields)
