from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.engines.cost.read_for_tests import HEAD, read


def test_the_nearest_name_and_the_mistaken_unit_are_told() -> None:
    with pytest.raises(ProblemError, match=r"The nearest name is features\.0"):
        read(HEAD + "feature.0,gpu,1\n")
    with pytest.raises(ProblemError, match="Check that the latency is in milliseconds"):
        read(HEAD + "features.2,gpu,0.0016\n")
    with pytest.raises(ProblemError, match="divide by 1,000"):
        read("layer,unit,latency_us\nfeatures.0,gpu,5\n")
    assert "Are the latencies in milliseconds?" in read(HEAD + "features.2,gpu,1600000\n").report["notes"][0]


def test_most_of_the_time_must_be_of_the_network() -> None:
    assert read(HEAD + "features.2,gpu,1.6\ncopy,gpu,1.5\n").report["unmatched"][0]["latency_ms"] == 1.5
    with pytest.raises(ProblemError, match=r"1 lines with 1.7 of 3.3 ms name no operation"):
        read(HEAD + "features.2,gpu,1.6\ncopy,gpu,1.7\n")
