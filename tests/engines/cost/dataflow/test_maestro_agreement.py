"""The summary of agreement with MAESTRO."""

from __future__ import annotations

from engines.cost.dataflow.maestro_agreement import COMPARABLE, agreement
from tests.engines.cost.maestro_tables import Rows


def test_every_checked_mapping_is_summed_up_and_what_is_not_exact_is_named() -> None:
    found = {(line.mapping, line.stride): line for line in agreement(Rows.read(*COMPARABLE))}
    assert {mapping for mapping, _ in found} == {"kcp_ws", "ykp_os", "dpt"}
    exact = found["kcp_ws", "1"]
    assert (exact.cycles_exact, exact.energy_exact, exact.worst, exact.worst_row) == (exact.rows, exact.rows, 0.0, "")
    not_exact = [line for line in found.values() if line.worst]
    assert [(line.mapping, line.stride, line.rows - line.energy_exact) for line in not_exact] == [("ykp_os", "4", 1)]
    assert "f71" in not_exact[0].worst_row
