"""Tables 2.1 and 2.2."""

from __future__ import annotations

import pytest

from engines.methods.hadas.reproduction.tables import ratios, table_2_1, table_2_2
from engines.reproduction.frame import Part
from engines.running.executor import InPlaceExecutor


def test_every_clock_has_as_many_steps_as_printed_and_the_space_is_larger() -> None:
    rows = {row.name: row for row in Part("t", table_2_1).computed({}, InPlaceExecutor())}
    space = rows.pop("Backbones, more than")
    assert space.test == "at least" and space.as_printed and space.kind == "constant"
    assert {row.ours for row in rows.values()} == {14, 29, 9, 13, 12, 11}
    assert all(row.ours == row.published and row.kind == "constant" for row in rows.values())


def test_the_ratios_of_b1_are_arithmetic_and_as_printed() -> None:
    rows = list(ratios())
    assert {row.kind for row in rows} == {"arithmetic"}
    assert all(row.ours == pytest.approx(row.published, abs=0.5) for row in rows)


def test_what_was_fitted_is_said_and_reached() -> None:
    rows = {row.name: row for row in Part("t", table_2_2).computed({}, InPlaceExecutor())}
    fitted = {name for name, row in rows.items() if row.kind == "fitted"}
    assert fitted == {
        "a0: accuracy without exits", "a0: accuracy gained by all exits", "a0: energy without exits", "a6: energy without exits",
    }  # fmt: skip
    above = rows["a6: accuracy above a0, without exits"]
    assert (
        above.published == pytest.approx(1.9)
        and above.ours == pytest.approx(1.185, abs=1e-3)
        and above.kind == "predicted"
    )
    assert all(rows[name].ours == pytest.approx(rows[name].published, rel=0.05) for name in fitted)
    assert rows["a0: energy with exits"].ours < rows["a0: energy without exits"].ours
