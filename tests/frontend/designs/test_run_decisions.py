"""Decisions of a run beside its figures: rows in view, and all of a column as a run grows."""

from __future__ import annotations

import json
from itertools import count

import numpy as np

from engines.contract.decision_columns import DecisionColumn
from engines.contract.decision_values import DecidedValues, values_by_name
from frontend.designs.run_decisions import RunDecisions, make_run_decisions

DECISION_COLUMNS = (
    DecisionColumn("units", "Unit of each block"),
    DecisionColumn("clock", "Clock", "MHz"),
    DecisionColumn("chips", "Chips"),
)
DECISIONS = [
    {"units": ["gpu", "gpu"], "clock": 500},
    {"units": ["dla", "gpu"]},
    {"units": ["dla", "gpu"], "clock": "off"},
]
TEXTS = [json.dumps({**decision, "chips": 1}) for decision in DECISIONS]
_RUNS = count(1)


def decisions_of(known: int, run: int, asked: list[int] | None = None) -> RunDecisions:
    def after(number: int) -> dict[str, DecidedValues]:
        if asked is not None:
            asked.append(number)
        return values_by_name(DECISION_COLUMNS, [json.loads(text) for text in TEXTS[number:known]])

    read = lambda numbers: [TEXTS[number] for number in numbers]  # noqa: E731
    return make_run_decisions((run, 1), known, DECISION_COLUMNS, frozenset({"chips"}), read, after)


def test_a_figure_of_the_same_name_needs_no_second_column() -> None:
    decisions = decisions_of(3, -next(_RUNS))
    assert [column.name for column in decisions.columns] == ["units", "clock"]
    assert decisions.rows([2, 0]) == [
        {"decision.units": "dla, gpu", "decision.clock": "off"},
        {"decision.units": "gpu × 2", "decision.clock": "500"},
    ]


def test_of_a_run_that_grows_only_what_is_new_is_read() -> None:
    run, asked = -next(_RUNS), list[int]()
    assert decisions_of(1, run, asked).values("clock").numbers.tolist() == [500.0]
    values = decisions_of(3, run, asked).values("clock")
    assert asked == [0, 1]
    assert [values.words[which] for which in values.which] == ["500", "", "off"]
    assert np.isnan(values.numbers[1:]).all()
    units = decisions_of(3, run, asked).values("units")
    assert [units.words[which] for which in units.which] == ["gpu × 2", "dla, gpu", "dla, gpu"]
