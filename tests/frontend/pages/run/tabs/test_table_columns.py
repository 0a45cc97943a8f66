from __future__ import annotations

from engines.contract.decision_columns import TableColumn
from frontend.designs.run_decisions import RunDecisions
from frontend.pages.run.tabs.table_columns import choosable, read_columns
from tests.frontend.pages.run.tabs.test_table import DESIGNS

DECISIONS = RunDecisions(
    (TableColumn("units", "Units", "sequence"), TableColumn("clock", "Clock", "number", varies=False))
)


def test_usual_are_figures_and_the_decisions_that_differ() -> None:
    shown = read_columns("", choosable(DESIGNS, DECISIONS))
    assert shown == ["latency_s", "energy_j", "windows", "decision.units", "found"]


def test_an_address_names_what_differs_from_the_usual() -> None:
    columns = choosable(DESIGNS, DECISIONS)
    shown = read_columns("-energy_j,decision.clock,-found,nothing", columns)
    assert shown == ["latency_s", "windows", "decision.units", "decision.clock"]
