"""Why there is no best design where no design meets the limit."""

from __future__ import annotations

import pytest

from engines import explore


def test_the_limit_is_named_with_the_best_value() -> None:
    params = {"unmeasured": "datasheet", "latency_limit_s": 1e-9}
    found = explore("soc-mapping", hardware="jetson-tx2", workload="vgg16", params=params)
    assert found.status == "infeasible"
    with pytest.raises(
        ValueError, match=r"^No design meets the limits\. Latency.*: at least .* is needed, at most 1e-09 s"
    ):
        found.best()
