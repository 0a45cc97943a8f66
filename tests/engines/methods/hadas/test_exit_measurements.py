"""Documents of measured exits, and the search over them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.documents.families import load, summary_of
from engines.methods.hadas.exit_measurements import right_rows, sure_rows
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.hadas.problems import measured_document, measured_problem

ROWS = ["900980", "001000", "300950", "400400"]
SURE = {"temperatures": [1.0, 2.0], "largest_probability": ROWS, "entropy": ROWS}


def test_how_sure_exits_are_is_kept_in_thousandths_rounded_down() -> None:
    found = load(measured_document(sure=SURE).content)
    assert found.sure["entropy"][:2].tolist() == [[0.9, 0.98], [0.001, 0.0]]
    assert sure_rows(found.sure["entropy"]) == SURE["entropy"]
    assert sure_rows(np.array([[0.9999, 1.0, 0.0119]])) == ["999999011"]
    assert load(measured_document().content).sure is None


def test_a_document_says_who_is_right_where() -> None:
    content = measured_document().content
    found = load(content)
    assert right_rows(found.right) == content["right"]
    assert found.positions.starts == (0, 3, 6)
    assert found.positions.shapes == ((8, 8, 8), (16, 4, 4))
    assert summary_of(content).startswith("2 exits measured on 4 images: 50.0 % right at the own end, 75.0 % at any")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"right": ["111", "10"]}, "right.1"),
        ({"right": ["11x"]}, "right.0"),
        ({"exits": [{"after": "a", "operations": 3}, {"after": "b", "operations": 3}]}, "exits.1.operations"),
        ({"sure": SURE | {"temperatures": [1.0]}}, "sure.temperatures"),
        ({"sure": SURE | {"entropy": ["900980"]}}, "sure.entropy"),
        ({"sure": SURE | {"entropy": ["900980", "9x0", "300950", "400400"]}}, "sure.entropy.1"),
        ({"exits": [{"after": "end", "operations": 99}]}, "exits.0.operations"),  # after the last layer
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as error:
        load(measured_document(**changes).content)
    assert error.value.field == field


def test_every_choice_of_measured_exits_is_looked_at() -> None:
    steps = run_all(TinyProblem(measured_problem()))
    note = next(result for step in steps for result in step.results if isinstance(result, Note))
    assert note.text.startswith("Proven: the search evaluated every choice")
    designs = designs_of(steps)
    searched = np.array(designs.origin) == "search"
    by_exits = dict(zip(designs.columns["exits"][searched], designs.columns["accuracy_percent"][searched], strict=True))
    assert by_exits[0] == 50.0
    assert designs.columns["accuracy_percent"][searched].max() == 75.0
