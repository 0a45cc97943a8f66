from __future__ import annotations

from engines.running.inspection import Estimator
from frontend.ids.what_if import WhatIfIds
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.what_if.data import moved_figures
from frontend.pages.run.what_if.view import design_content, front_card, front_figure, kept_content, sliders_card
from hardware.movable import Movable
from webapp.runs.models import Run
from webapp.runs.results.moved_hardware import MovableDocument, StoredDocument

CLOCK = Movable("clock", "Clock", "MHz", 500.0, 62.5, 4000.0, ("clock_mhz",))
DOCUMENT = MovableDocument("hardware", "hardware", "p", 3, "", "Our board", {}, (CLOCK,))


def test_who_may_not_keep_is_offered_no_button() -> None:
    assert "Keep as a new version" in str(sliders_card([DOCUMENT], True))
    for_guests = str(sliders_card([DOCUMENT], False))
    assert "Keep as a new version" not in for_guests and "Our board v3" in for_guests and "Clock" in for_guests


def test_every_figure_has_its_own_way_back_and_a_place_for_its_mark() -> None:
    shown = str(sliders_card([DOCUMENT], False))
    assert "Clock: back to 500" in shown and str(WhatIfIds.FIGURE_TYPE) in shown


def test_the_certainty_of_a_calibration_stands_beside_what_it_is_known_of(run: Run) -> None:
    designs = designs_of(run)
    stored = {name: float(values[3]) for name, values in designs.columns.items()}
    known = Estimator("Fitted to measurements", "calibrated", "", {"latency_s": 1.25})
    shown = str(design_content(designs, 3, moved_figures(designs, 3, stored, known.error_factors), "", known))
    assert "×/÷ 1.25" in shown and "scaled from it" in shown
    unknown = Estimator("Closed forms", "predicted", "", {})
    shown = str(design_content(designs, 3, moved_figures(designs, 3, stored, {}), "", unknown))
    assert "number=True" not in shown and "Error band unknown" in shown


def test_a_design_that_cannot_be_run_says_why(run: Run) -> None:
    assert "no such unit" in str(design_content(designs_of(run), 3, [], "no such unit", None))


def test_the_picture_is_of_the_front_and_the_card_says_where_there_is_none(run: Run) -> None:
    designs = designs_of(run)
    numbers = designs.front.tolist()
    figure = front_figure(designs, numbers, None, None, {}, "light")
    assert figure is not None and len(figure["data"]) == 1
    assert front_figure(designs, [], None, None, {}, "light") is None
    assert "no two figures" in str(front_card(None))


def test_what_was_kept_leads_to_a_run_on_it(run: Run) -> None:
    shown = str(kept_content(run, [StoredDocument("hardware", "hardware", "lab/our-board", "Our board", 4, True)]))
    assert "Kept as Our board, version 4." in shown
    assert f"/new?from={run.pk}&hardware=lab/our-board@4" in shown
