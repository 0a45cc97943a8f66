"""A seed out of NumPy is an integer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines import explore
from engines.contract.errors import ProblemError

PARAMS = {"unmeasured": "datasheet"}

pytestmark = pytest.mark.usefixtures("toys")


def test_a_seed_of_numpy_is_taken() -> None:
    found = explore("soc-mapping", hardware="jetson-tx2", workload="vgg16", params=PARAMS, seed=np.int64(1))  # type: ignore[arg-type]
    assert found.problem.seed == 1 and type(found.problem.seed) is int


def test_other_numbers_of_numpy_are_taken() -> None:
    settings: dict[str, Any] = {"workers": np.int32(1), "stop_after_minutes": np.float32(60)}
    params = {"steps": np.int64(2), "energy_limit_j": np.float64(100)}
    found = explore("toy", params=params, **settings)
    assert (found.problem.canonical()["params"]["steps"], found.stop_after_minutes) == (2, 60.0)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, float("nan"), "2"])
def test_what_is_no_number_of_workers_is_refused(workers: Any) -> None:
    with pytest.raises(ProblemError, match=r"workers: must be a whole number of processes, at least 1\. Got"):
        explore("toy", workers=workers)
