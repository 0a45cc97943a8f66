from __future__ import annotations

from dash import no_update

from frontend.components.start import refused, started
from tests.frontend.words import words
from webapp.runs.errors import ChangedProblemError


def test_what_was_started_cannot_be_started_a_second_time() -> None:
    assert started("/runs/7", {"token": "t", "form": 1}) == ("/runs/7", "", {"token": "", "form": 1}, no_update)


def test_a_form_that_changed_is_judged_again_and_other_refusals_are_not() -> None:
    address, shown, judged, again = refused(ChangedProblemError(), 3)
    assert address is judged is no_update and again == 3
    assert "nothing was started. The summary has changed" in words(shown)
    _, shown, _, again = refused(ValueError("own words"), 3, "Steps must be whole.")
    assert "Steps must be whole." in words(shown) and "own words" not in words(shown) and again is no_update
