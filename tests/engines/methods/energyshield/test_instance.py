import pytest

from engines.contract.errors import ProblemError
from engines.methods.energyshield.instance import positions


def test_what_people_type_is_taken_in_its_order() -> None:
    assert positions("x_m, y_m\n40, 0\n55 -1.5", "params.x") == ((40.0, 0.0), (55.0, -1.5))


@pytest.mark.parametrize("given", ["40", "40, 0, 1", "40, nan", "far, away\n40, 0"])
def test_what_is_no_position_is_refused(given: str) -> None:
    with pytest.raises(ProblemError, match="metres along and across"):
        positions(given, "params.x")
