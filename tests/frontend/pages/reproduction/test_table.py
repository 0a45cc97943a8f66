from __future__ import annotations

from tests.frontend.pages.reproduction.cases import page
from tests.support.stored_runs import People


def test_a_row_without_a_value_under_the_first_reading_names_its_own(people: People) -> None:
    assert "Section 3.3.2 · under board powers" in page("seesaw")  # the life at 1 Hz went into the other calibration
    assert "under default" not in page("scar")
