"""Which unit each operation prefers, on a round board and on a published one."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.cost.unit_preferences import NOWHERE, UnitPreferences, unit_preferences
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc


@pytest.fixture(scope="module")
def found() -> UnitPreferences:
    """ViG-S on Xavier at its highest clocks, as MaGNAS measured it."""
    soc = load_soc(builtin_socs()["jetson-agx-xavier"])
    return unit_preferences(
        builtin_network("magnas-vig-s-gin"), soc, load_calibration(builtin_calibrations()["xavier-magnas"])
    )


def test_costs_are_those_of_the_cost_model(found: UnitPreferences) -> None:
    table = operation_table(found.network.operations)
    model = SocCostModel(found.soc, found.calibration)
    whole = model.costs(table, highest_clocks(found.soc), units=["gpu", "dla"], groups=[0])
    totals = found.totals("edp")
    for place, unit in enumerate(("gpu", "dla")):
        assert totals[unit].latency_s == pytest.approx(whole.latency_s[0, place, 0])
        assert totals[unit].energy_j == pytest.approx(whole.energy_j[0, place, 0])
    assert len(found.operations) == int(table.runs.sum()) == totals["gpu"].operations


def test_a_unit_without_measurements_has_no_figure_and_says_why(found: UnitPreferences) -> None:
    column = found.units.index("cpu")
    assert not found.supported[:, column].any() and np.isnan(found.ratios("edp")[:, column]).all()
    assert "no measurement of the unit cpu" in found.reasons[0, "cpu"]
    assert found.totals("latency")["cpu"] == found.totals("energy")["cpu"]


def test_preferences_margins_and_counts_agree(found: UnitPreferences) -> None:
    for quantity in ("latency", "energy", "edp"):
        best, ratios, margins = found.best(quantity), found.ratios(quantity), found.margins(quantity)  # type: ignore[arg-type]
        assert np.allclose(ratios[np.arange(len(best)), best], 1) and (margins >= 1).all()
        counts = {unit: total.preferred for unit, total in found.totals(quantity).items()}  # type: ignore[arg-type]
        assert sum(counts.values()) == len(best)
    assert (found.latency_s[:, found.units.index("gpu")] < np.inf).all()
    assert (found.clear("latency") == (found.margins("latency") > found.band("latency"))).all()
    assert found.band("edp") > max(found.band("latency"), found.band("energy"))  # type: ignore[type-var]


def test_hand_overs_are_counted_where_the_preferred_unit_changes(found: UnitPreferences) -> None:
    best = found.best("energy")
    places = np.flatnonzero(np.diff(best))
    assert found.changes("energy") == len(places)
    alone, handed = found.preferred("energy", handovers=False), found.preferred("energy", handovers=True)
    assert handed.latency_s - alone.latency_s == pytest.approx(found.handed_s[places].sum())
    assert handed.energy_j - alone.energy_j == pytest.approx(found.handed_j[places].sum())
    assert alone.energy_j <= min(t.energy_j for t in found.totals("energy").values() if t.operations == len(best))


def test_clocks_and_fall_back_are_asked_for(found: UnitPreferences) -> None:
    slow = unit_preferences(found.network, found.soc, found.calibration, {"gpu": 520, "memory": 1065})
    gpu = found.units.index("gpu")
    assert slow.clocks.at(0)["gpu"] < found.clocks.at(0)["gpu"]
    assert (slow.latency_s[:, gpu] > found.latency_s[:, gpu]).all()
    own = unit_preferences(found.network, found.soc, found.calibration, fallback=False)
    dla = found.units.index("dla")
    lost = found.supported[:, dla] & ~own.supported[:, dla]
    assert lost.any() and all("does not run" in own.reasons[int(row), "dla"] for row in np.flatnonzero(lost))
    with pytest.raises(ProblemError, match="within 3 % of a step"):
        unit_preferences(found.network, found.soc, found.calibration, {"gpu": 700})
    with pytest.raises(ProblemError, match="quantity"):
        found.values("beauty")  # type: ignore[arg-type]


def test_an_operation_without_any_figure_prefers_nothing(found: UnitPreferences) -> None:
    other = unit_preferences(builtin_network("mobilenet-v2"), found.soc, found.calibration)
    nowhere = other.best("edp") == NOWHERE
    assert nowhere.any() and np.isnan(other.margins("edp")[nowhere]).all()
    assert other.preferred("edp", handovers=False).operations == int((~nowhere).sum())
