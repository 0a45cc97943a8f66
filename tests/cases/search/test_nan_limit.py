"""A limit that is not a number is refused for that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines import explore
from engines.contract.errors import ProblemError


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), -float("inf"), np.float64("nan"), "nan", "Infinity"])
def test_what_is_not_finite_is_refused_by_name(limit: Any) -> None:
    params = {"unmeasured": "datasheet", "latency_limit_s": limit}
    with pytest.raises(ProblemError, match=r"params\.latency_limit_s: must be a finite number\. Got"):
        explore("soc-mapping", hardware="jetson-tx2", workload="vgg16", params=params)


@pytest.mark.parametrize(
    ("name", "value"), [("latency_limit_s", True), ("evaluations", False), ("power_limit_w", np.True_)]
)
def test_true_and_false_are_no_numbers(name: str, value: Any) -> None:
    with pytest.raises(ProblemError, match=rf"params\.{name}: must be a number\. Got (True|False)"):
        explore("soc-mapping", hardware="jetson-tx2", workload="vgg16", params={name: value})
