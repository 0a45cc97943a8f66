import pytest

from engines.methods.hadas.reproduction.published import UNITS, problem_of
from engines.running.inspection import plan


@pytest.mark.parametrize("name", UNITS)
def test_every_published_setting_can_be_run(name: str) -> None:
    problem = problem_of(UNITS[name], {"clock_steps": 2}, "attentivenas-a0")
    assert problem.params.unit == UNITS[name].unit and plan(problem).evaluations > 0
