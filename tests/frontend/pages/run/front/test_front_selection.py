from __future__ import annotations

import numpy as np

from frontend.pages.run.front.front_selection import MOST_IN_MANY, many_of
from tests.frontend.pages.run.front.cases import designs, request


def test_the_selected_design_is_there_though_the_sample_or_the_reader_leaves_it_out() -> None:
    found = designs(2 * MOST_IN_MANY)
    without = sorted(set(range(len(found))) - set(many_of(found, request()).numbers.tolist()))
    chosen = many_of(found, request(selected=without[0]))
    assert without[0] in chosen.numbers and len(chosen.numbers) == MOST_IN_MANY + 1


def test_kinds_are_told_and_what_is_hidden_is_gone() -> None:
    found = designs(60)
    whole = many_of(found, request())
    assert whole.kinds[whole.numbers == 3].tolist() == ["baseline"]
    assert set(whole.numbers[whole.kinds == "front"].tolist()) == set(found.front.tolist())
    left = many_of(found, request(hidden=("dominated", "baselines")))
    assert set(left.kinds.tolist()) == {"front"} and np.isfinite(left.values).all()
