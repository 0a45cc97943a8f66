from __future__ import annotations

from engines.workloads.loader import builtin_network
from frontend.pages.catalogue.workload.units.query import units_asked
from frontend.pages.catalogue.workload.units.view import units_view
from tests.frontend.pages.catalogue.workload.units.cases import VIG, words
from tests.support.stored_runs import People


def test_the_calibration_that_covers_most_is_the_default_and_nonsense_gives_way(people: People) -> None:
    first = units_asked(people.owner, builtin_network(VIG), {})
    assert (first.soc, first.calibration) == ("jetson-agx-xavier", "xavier-magnas")
    assert units_asked(people.owner, builtin_network("vgg19"), {}).calibration == "xavier-map-and-conquer"
    given = {"soc": "nothing", "calibration": "tx2-hadas", "show": "beauty", "clocks": "gpu=fast,cpu=,npu=5,gpu=520"}
    asked = units_asked(people.owner, builtin_network(VIG), given)
    assert (asked.soc, asked.calibration, asked.show) == ("jetson-agx-xavier", "xavier-magnas", "edp")
    assert asked.clocks_mhz == {"gpu": 520.0}


def test_a_clock_that_there_is_not_is_told(people: People) -> None:
    network = builtin_network(VIG)
    view = units_view(people.owner, network, units_asked(people.owner, network, {"clocks": "gpu=700"}), "light", 1280)
    assert "within 3 % of a step" in words(view.heat) and view.totals is None
