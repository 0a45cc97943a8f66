import pytest

from engines.contract.errors import ProblemError
from engines.contract.typed_lists import names, numbers


def test_what_people_type_is_taken_once_each_in_its_order() -> None:
    assert numbers("3, 1;2 3", "params.x", "above 0", lambda value: value > 0) == (3.0, 1.0, 2.0)
    assert names("b a b", "params.x", ("a", "b", "c")) == ("b", "a")


@pytest.mark.parametrize("given", ["", "1 -1", "1 x", "1 inf", " ".join(map(str, range(1, 60)))])
def test_what_are_no_such_numbers_is_refused(given: str) -> None:
    with pytest.raises(ProblemError, match="above 0"):
        numbers(given, "params.x", "above 0", lambda value: value > 0)
