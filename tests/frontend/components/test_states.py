from __future__ import annotations

from engines.contract.engine import Infeasibility
from frontend.components.button import button
from frontend.components.states import failed_state, infeasible_state
from tests.frontend.words import words


def test_an_infeasible_run_tells_limit_need_bound_gap_and_remedies():
    infeasible = Infeasibility("Chiplets in window 1", 5, 4, "chiplets", 1, (("a larger package", "hardware"),))
    text = words(infeasible_state(infeasible, "run 0401")).replace("\u00a0", " ")
    for part in (
        "Infeasible",
        "Chiplets in window 1",
        "5 chiplets",
        "4 chiplets",
        "a larger package",
        "hardware",
    ):
        assert part in text


def test_a_failed_run_tells_what_is_kept_and_offers_to_continue_first():
    state = failed_state(
        "The worker stopped.", "On edge-2.", "17 200 designs are stored.", "MemoryError", [button("Continue")]
    )
    text = words(state)
    assert text.index("stopped") < text.index("stored") < text.index("MemoryError") < text.index("Continue")
