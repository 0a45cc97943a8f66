import pytest

from engines.contract.quantities import objectives_of
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.quantities import CHOICE, OBJECTIVE_COLUMNS, QUANTITIES


@pytest.mark.parametrize("chosen", OBJECTIVE_COLUMNS)
def test_parameters_choose_what_spans_the_front(chosen: str) -> None:
    params = SocMappingParams.model_validate({"objectives": chosen})
    spanning = [quantity.name for quantity in objectives_of(CHOICE.roles(QUANTITIES, params))]
    assert set(spanning) == set(OBJECTIVE_COLUMNS[chosen]) <= set(CHOICE.columns)
