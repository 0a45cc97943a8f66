"""Changes as text."""

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.methods.mapformer.changes import EXAMPLE, changes_of

NAMES = ("x", "y", "z")


def test_networks_come_and_go_and_the_limit_changes() -> None:
    found = changes_of("0: +1 +2; 20 s: +3 -1; 40: 10 W; 45: no W", NAMES, 15.0)
    assert [change.present for change in found.each] == [(0, 1), (1, 2), (1, 2), (1, 2)]
    assert [change.power_limit_w for change in found.each] == [15.0, 15.0, 10.0, np.inf]
    assert [change.words for change in found.each][1:3] == ["z comes, x goes", "10 W"]
    assert found.end_s == 55.0
    assert changes_of(EXAMPLE, NAMES, np.inf).end_s == 60.0


@pytest.mark.parametrize(
    "text",
    ["20: +1", "0: +4", "0: +1; 0: +2", "0: +1; 5: -1", "0: +1; 5: +1", "0: +1; 5: -2", "soon: +1", "0 +1", "0: 1", "0: +1 0 W",
     "0: 10 W", "0: +1; 5: end; 6: +2", "0: +1; 5: wait", "; ".join(["0: +1", *(f"{at}: 10 W" for at in range(1, 30))])],
)  # fmt: skip
def test_what_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ProblemError) as refused:
        changes_of(text, NAMES, 15.0)
    assert refused.value.field == "params.changes"
