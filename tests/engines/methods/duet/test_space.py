"""The choices of a split: which there are, and which histories fit the scratchpad."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.duet.space import kept, space_of
from tests.engines.methods.duet.problems import duet_problem, instance


def test_of_some_lookups_at_least_one_is_kept() -> None:
    assert [kept(80, 0.125), kept(5, 0.5), kept(4, 0.1), kept(10, 0.3)] == [10, 3, 1, 3]


def test_a_ratio_counts_only_where_a_layer_is_split() -> None:
    space = instance().space
    unsplit = space.every[space.every[:, 1] == space.top_layers.index(0)]
    assert set(unsplit[:, 2]) == {space.nominal}
    assert len(np.unique(space.every, axis=0)) == len(space.every)


def test_rm1_keeps_60_kib_and_a_smaller_scratchpad_a_part_of_it() -> None:
    space = instance().space
    assert space.history_bytes(1.0, "fp32") == 60 * 1024
    assert space.history_bytes(1.0, "int8") == 15 * 1024
    small = instance(scratchpad_kib=20.0, memory="scratchpad").space
    sizes = {small.history_bytes(small.histories[row[6]], small.tables_precisions[row[4]]) for row in small.every}
    assert max(sizes) <= 20 * 1024 < space.history_bytes(1.0, "fp32")


def test_a_scratchpad_that_holds_no_history_is_refused() -> None:
    problem = duet_problem({"scratchpad_kib": 0.01, "memory": "scratchpad"})
    with pytest.raises(ProblemError) as error:
        space_of(instance().model, problem.params)
    assert error.value.field == "params.scratchpad_kib" and "at least" in str(error.value)
