from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.results import Note, Result, Table, Trace
from engines.documents.problems import make_problem
from engines.running.inspection import explain
from tests.engines.methods.seesaw.cases import DECISION, explained
from tests.engines.methods.seesaw.problems import seesaw_problem


def _measured(unit: str, values: list[float]) -> Document:
    times = (np.arange(len(values)) * 3600.0).tolist()
    content = {"schema": "recording/1", "slug": "meter", "title": "Meter", "source": "made up", "units": {"reading": unit},
               "tracks": [{"title": "one", "times_s": times, "columns": {"reading": values}}]}  # fmt: skip
    return Document("data", "meter", 1, content)


def with_measured(document: Document) -> dict[str, Result]:
    """Results with a measured recording."""
    base = seesaw_problem()
    problem = make_problem("seesaw", {**base.inputs, "measured": document}, base.params.model_dump(), seed=3)
    return {each.name: each for each in explain(problem, DECISION)}


def test_measured_charge_is_laid_over_the_simulated_one_with_its_error() -> None:
    plain = explained()["battery"]
    assert isinstance(plain, Trace)
    own = np.interp(np.arange(6) * 3600.0, plain.time_s, plain.series[0].y)
    found = with_measured(_measured("%", [float(value) for value in (own - 2.0).clip(0)]))
    trace, errors = found["battery"], found["battery-errors"]
    assert isinstance(trace, Trace) and trace.series[-1].title == "Measured reading" and trace.series[-1].unit == "%"
    assert isinstance(errors, Table)
    figures = {column.title: column.values[0] for column in errors.table_columns}
    assert figures["RMSE"] == pytest.approx(2.0, abs=0.2) and figures["Mean error"] == pytest.approx(2.0, abs=0.2)


def test_a_measured_power_in_another_unit_is_asked_about() -> None:
    found = with_measured(_measured("W", [25.0, 26.0, 25.0]))  # 25 mW with the wrong head
    note = found["battery-unit-reading"]
    assert isinstance(note, Note) and "check the unit" in note.text and note.level == "warning"


def test_a_measured_column_that_fits_nothing_is_said() -> None:
    note = with_measured(_measured("degC", [20.0, 21.0]))["battery-measured"]
    assert isinstance(note, Note) and "%, W" in note.text
