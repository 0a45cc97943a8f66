from __future__ import annotations

import numpy as np

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.design.card import design_name, design_note
from tests.frontend.designs.samples import QUANTITIES, table


def test_designs_of_a_users_own_stand_beside_the_front(designs: RunDesigns) -> None:
    own = designs.extended(table([0.1], [0.1], "user", "mine"))
    assert own.front.tolist() == [0, 1, 2] and own.best("edp_js") == 0
    assert design_name(own, 5) == "mine" and design_note(own, 5, False, False) == "own design"


def test_what_the_search_says_of_a_design_stands_beside_its_number(designs: RunDesigns) -> None:
    one, named = table([0.9], [0.9], label="proven optimal"), table([0.4], [0.4], "baseline", "Simba NVDLA")
    found = designs.extended(one).extended(named)
    assert (design_name(found, 5), design_note(found, 5, True, False)) == ("Design 0005", "best EDP, proven optimal")
    assert (design_name(found, 6), design_note(found, 6, False, False)) == ("Simba NVDLA", "baseline")
    assert design_note(found, 3, False, False) == "dominated"


def test_a_design_that_breaks_a_limit_says_so() -> None:
    slack = Quantity("limit_slack", "Limit slack", "", "none", "constraint")
    columns = {"latency_s": np.array([3.0, 2.0, 1.0, 1.0]), "limit_slack": np.array([0.5, 0.0, -0.1, -0.1])}
    texts = np.array(["baseline", "search", "baseline", "search"]), np.array(["A", "", "B", ""])
    found = RunDesigns((*QUANTITIES[:1], slack), "latency_s", columns, np.arange(4), *texts)
    notes = [design_note(found, number, False, False) for number in range(4)]
    assert notes == ["baseline", "on the front", "baseline, violates a limit", "violates a limit"]
