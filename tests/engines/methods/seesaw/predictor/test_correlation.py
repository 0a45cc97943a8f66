from __future__ import annotations

from engines.contract.engine import Document
from engines.contract.results import Table
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.seesaw.problems import recording, seesaw_problem


def test_the_finder_takes_the_turn_of_a_route_and_leaves_its_heading() -> None:
    steps = run_all(TinyProblem(seesaw_problem(data=recording(tracks=40, duration_s=300))))
    table = next(each for step in steps for each in step.results if each.name == "correlations")
    assert isinstance(table, Table)
    used = dict(zip(table.table_columns[0].values, table.table_columns[4].values, strict=True))
    assert used["turn"] == "yes" and used["heading"] == "no"
    assert {tuple(d["sensors"]) for d in designs_of(steps).decisions if "sensors" in d} == {("turn",)}


def test_the_page_hears_of_every_set_of_sensors_before_the_first_design() -> None:
    steps = run_all(TinyProblem(seesaw_problem({"most_sensors": 2})))
    first = next(at for at, step in enumerate(steps) if step.designs is not None)
    assert [step.message for step in steps[:first]] == [
        "Reads the recording few",
        "Correlation of turn: 1 of 6",
        "Correlation of heading: 2 of 6",
        "Correlation of step speed: 3 of 6",
        "Correlation of turn + heading: 4 of 6",
        "Correlation of turn + step speed: 5 of 6",
        "Correlation of heading + step speed: 6 of 6",
    ]


def test_rain_is_told_by_humidity_and_not_by_temperature() -> None:
    # goyal-2023 section 3.2.3, Table 3.1: humidity is accepted, temperature is not.
    from tests.hardware.small_devices_for_tests import sensor_node_content

    gauge = sensor_node_content(
        high_power_sensor__rates_hz=[1 / 3600, 1 / 1800, 1 / 900, 1 / 300],
        measured__rate_hz=1 / 300,
    )  # fmt: skip
    data = recording("weather", tracks=8, duration_s=86_400, step_s=300.0, measures="rain")
    inputs = {"hardware": Document("hardware", "gauge", 1, gauge), "data": data}
    problem = make_problem("seesaw", inputs, {"tolerances": 1, "most_sensors": 1, "folds": 4, "devices": 2}, seed=1)
    steps = run_all(TinyProblem(problem))
    table = next(each for step in steps for each in step.results if each.name == "correlations")
    assert isinstance(table, Table)
    used = dict(zip(table.table_columns[0].values, table.table_columns[4].values, strict=True))
    assert used == {"temperature": "no", "humidity": "yes"}
