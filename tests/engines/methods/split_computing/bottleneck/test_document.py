"""Documents of measured bottlenecks, and which of their designs is taken."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.documents.families import load, summary_of
from tests.engines.methods.split_computing.bottleneck.problems import measured_content


def test_what_sends_least_is_taken_within_what_may_be_lost() -> None:
    found = load(measured_content())
    assert found.within(1.0, "params.x").sent_bytes == 48
    assert found.within(5.0, "params.x").sent_bytes == 12
    with pytest.raises(
        ProblemError, match=r"at least 0\.5 percentage points, the loss of the most accurate bottleneck"
    ):
        found.within(0.1, "params.x")
    assert "up to 94.5 % (95.0 % without), from 12 B" in summary_of(measured_content())
