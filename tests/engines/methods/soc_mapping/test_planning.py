"""What a plan of SoC mapping says before it starts."""

from __future__ import annotations

import numpy as np
import pytest

from engines.mapping.solver.unit_costs import Skips
from engines.methods.soc_mapping.planning import mappings_words, most_waiting


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 mapping"),
        (2**12, "4\u2009096 mappings"),
        (2**20, "1.0 × 10⁶ mappings"),
        (3**34, "1.7 × 10¹⁶ mappings"),
        (2**2000, "1.1 × 10⁶⁰² mappings"),
    ],
)
def test_the_number_of_mappings_is_written_as_people_write_it(count: int, words: str) -> None:
    assert mappings_words(count) == words


def test_results_that_wait_at_the_same_time_are_counted() -> None:
    costs = np.zeros((4, 1))
    # 0 waits until 5, 1 until 3, 3 until 4, 4 until 6: never more than two at once, as 1 is read last where 3 is made.
    skips = Skips((0, 1, 3, 4), ((2, 5), (3,), (4,), (6,)), (True, False, False, False), costs, costs)
    assert most_waiting(skips) == 2 and most_waiting(None) == 0
