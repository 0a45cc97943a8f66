"""One decision over many designs."""

from __future__ import annotations

import numpy as np

from engines.contract.decision_columns import DecisionColumn
from engines.contract.decision_values import DecidedValues, values_by_name

DECISION_COLUMNS = (DecisionColumn("units", "Unit of each block"), DecisionColumn("clock", "Clock", "MHz"))


def shown(values: DecidedValues) -> list[str]:
    return [values.words[which] for which in values.which]


def test_values_are_told_once_and_pointed_at() -> None:
    found = values_by_name(DECISION_COLUMNS, [{"units": ["gpu"], "clock": 500}, {"units": ["gpu"]}, {"units": ["dla"]}])
    assert found["units"].words == ("gpu", "dla") and shown(found["units"]) == ["gpu", "gpu", "dla"]
    assert shown(found["clock"]) == ["500", "", ""] and np.isnan(found["clock"].numbers[1:]).all()


def test_joined_they_share_their_words() -> None:
    first, more = DecidedValues.of([("gpu",), ("dla",)]), DecidedValues.of([("cpu",), ("gpu",)])
    both = first.joined(more)
    assert both.words == ("gpu", "dla", "cpu") and shown(both) == ["gpu", "dla", "cpu", "gpu"]
    assert shown(DecidedValues.nothing(1).joined(first)) == ["", "gpu", "dla"]
