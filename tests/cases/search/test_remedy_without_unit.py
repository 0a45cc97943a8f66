"""The remedy of a limit without a unit is a sentence, and the value in it mends the run."""

from __future__ import annotations

import re
from typing import Any

from engines import explore
from engines.exploration import Exploration


def explored(limit: float) -> Exploration:
    params: dict[str, Any] = {
        "simulate_network": False,
        "method": "evolutionary",
        "evaluations": 60,
        "micro_bump_limit": limit,
    }
    return explore("neksus", hardware="neksus-phone", inputs={"costs": "neksus-28nm"}, params=params)


def test_it_is_a_sentence_and_mends_the_run() -> None:
    found = explored(1).infeasible
    assert found is not None
    text, field = found.remedies[0]
    number = re.fullmatch(r"Allow at least (\d+)\.", text)
    assert number is not None and field == "params.micro_bump_limit"
    assert explored(float(number[1])).status == "done"
