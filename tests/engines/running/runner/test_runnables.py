"""Designs as files: engines that say what devices can measure of them, and those that do not."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.registry import engine_names, get_engine
from tests.engines.runnable_designs import asked
from tests.engines.tiny import tiny_problem

MEASURABLE = [name for name in engine_names() if get_engine(name).measurable is not None]


def test_engines_without_it_refuse() -> None:
    with pytest.raises(ProblemError, match="devices can measure"):
        asked(tiny_problem("toy").problem, {"x": [0, 0, 0]})


@pytest.mark.parametrize("name", MEASURABLE)
def test_what_is_measured_stands_beside_a_latency(name: str) -> None:
    engine = get_engine(name)
    assert engine.measurable is not None
    column = next(each for each in engine.quantities if each.name == engine.measurable.column)
    assert (column.unit, column.sense) == ("s", "minimise") and engine.measurable.words.endswith(".")
