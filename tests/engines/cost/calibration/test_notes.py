from __future__ import annotations

from engines.contract.results import Note
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.running.inspection import plan as plan_of
from tests.engines.methods.soc_mapping.datasheets_for_tests import DATASHEET, ENGINE
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_a_run_tells_which_units_nobody_measured() -> None:
    problem = mapping_problem(DATASHEET, tiny_network(), hardware="snapdragon-855")
    steps = tuple(drive(ENGINE, problem, LocalContext(problem)))
    notes = [note for step in steps for note in step.results if isinstance(note, Note)]
    (told,) = {note for note in notes if note.name == "datasheet"}  # at the beginning and at the end
    assert told.level == "warning" and "Prime, Gold, Silver, GPU" in told.text and "Error band" in told.text
    assert ENGINE.estimator(problem) == (
        "roofline of systems on a chip, fp32, Prime, Gold, Silver, GPU by the data sheet, not measured", "data sheet",
    )  # fmt: skip
    assert ENGINE.error_factors(problem) == {}
    assert any(note == told.text for note in plan_of(problem).notes)
    designs = next(step.designs for step in steps if step.designs is not None)
    results = {result.name: result for result in explain(problem, designs.decisions[0])}
    assert "clocks.txt" in results and "tensorrt-devices.json" not in results
