import pytest

from engines.contract.errors import ProblemError
from engines.methods.energyshield.inputs_read import names, numbers, positions


def test_what_people_type_is_taken_once_each_in_its_order() -> None:
    assert numbers("3, 1;2 3", "params.x", "above 0", lambda value: value > 0) == (3.0, 1.0, 2.0)
    assert names("b a b", "params.x", ("a", "b", "c")) == ("b", "a")
    assert positions("x_m, y_m\n40, 0\n55 -1.5", "params.x") == ((40.0, 0.0), (55.0, -1.5))


@pytest.mark.parametrize("given", ["", "1 -1", "1 x", "1 inf", " ".join(map(str, range(1, 60)))])
def test_what_are_no_such_numbers_is_refused(given: str) -> None:
    with pytest.raises(ProblemError, match="above 0"):
        numbers(given, "params.x", "above 0", lambda value: value > 0)


@pytest.mark.parametrize("given", ["40", "40, 0, 1", "40, nan", "far, away\n40, 0"])
def test_what_is_no_position_is_refused(given: str) -> None:
    with pytest.raises(ProblemError, match="metres along and across"):
        positions(given, "params.x")
