from __future__ import annotations

from engines.contract.results import Table
from tests.engines.methods.soc_mapping.problems import mapping_problem, run, searched, steps_of, tiny_network


def test_searched_clocks_stand_beside_fixed_ones_and_the_governors() -> None:
    steps = steps_of("exact")
    table = next(
        result for result in steps[-1].results if isinstance(result, Table) and result.name == "clocks-compared"
    )
    edp = table.table_columns[1].values * table.table_columns[2].values
    assert table.table_columns[0].values[0] == "Searched" and edp[0] <= edp.min() * (1 + 1e-12)
    labels = [label for step in steps if step.designs for label in step.designs.label if label]
    assert labels == ["GPU alone", "DLA alone", "GPU alone, default governor", "DLA alone, default governor"]


def test_within_a_limit_on_latency_the_table_of_clocks_is_of_the_best_mapping_too() -> None:
    limited = {"clocks": "searched", "clock_steps": 2, "latency_slack_percent": 60}
    steps = run(mapping_problem(limited, tiny_network()))
    table = next(each for step in steps for each in step.results if each.name == "clocks-compared")
    assert isinstance(table, Table) and table.title == "The mapping of least energy at other clocks"
    assert table.table_columns[2].values[0] == searched(steps).columns["energy_j"].min()
