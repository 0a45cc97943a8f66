from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Note, Table
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.sbrs.engine import SbrsEngine
from engines.methods.sbrs.instance import build_instance
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.running.prepared_problems import ready_of
from tests.engines.methods.sbrs.problems import EVERYTHING, sbrs_problem


def test_ties_among_all_networks_are_told_whichever_the_application_holds() -> None:
    problem = sbrs_problem({"accuracies": "", "requirements": "a: 1 0 0 0; b: 0 0 0.5 0.5"})
    one = EVERYTHING | {"networks": ["large"]}
    table = {result.name: result for result in explain(problem, one)}["requirements"]
    assert isinstance(table, Table)
    columns = {column.title: column.values for column in table.table_columns}
    assert columns["Served by"] == ("large", "large") and columns["Tied with"] == ("", "")
    best = columns["Best of all networks"]
    assert best[0].count("tied with") == 1 and "large" in best[0] and best[1] == "small"


def test_a_device_that_nobody_measured_is_estimated_on_request_and_said_aloud() -> None:
    usual = sbrs_problem(mission=False)
    inputs = {**usual.inputs, "hardware": get_builtin("hardware", "snapdragon-855")}
    params = {**usual.params.model_dump(), "unit": "gpu"}
    with pytest.raises(ProblemError, match="Set unmeasured to datasheet") as refused:
        ready_of(SbrsEngine(), make_problem("sbrs", inputs, params))
    assert [each[1:] for each in refused.value.remedies if each.field] == [("params.unmeasured", "datasheet")]
    problem = make_problem("sbrs", inputs, {**params, "unmeasured": "datasheet"})
    assert SbrsEngine().estimator(problem)[0].endswith("fp32, GPU by the data sheet, not measured")
    steps = list(drive(SbrsEngine(), problem, LocalContext(problem)))
    note = next(each for each in steps[-1].results if each.name == "datasheet")
    assert isinstance(note, Note)
    assert note.text.startswith("Estimated from the data sheet (fp32): GPU. No measurements are available; ")


def test_applications_are_counted_without_a_list_of_them() -> None:
    """Up to 12 of 60 networks are 1.8 million million sets, with eight sets of adaptive attributes each."""
    ready = build_instance(sbrs_problem({"largest_set": 12, "smallest_set": 1}, mission=False))
    assert ready.candidate_count == len(ready.candidates())
    many = replace(ready, networks=ready.networks * 20)
    assert many.candidate_count == sum(comb(60, size) for size in range(1, 13)) * 8 > 10**13
