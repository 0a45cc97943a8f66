from __future__ import annotations

import numpy as np
import pytest

from engines.methods.magnas.reproduction import searches
from tests.engines.methods.magnas.reproduction.cases import front


def test_the_bow_of_a_front_by_hand() -> None:
    # Rectangle from (20, 1) to (50, 3): 60. The mapping (30, 2) leaves out 20 x 1 of it above.
    found = front([(30.0, 2.0)], (20.0, 3.0), (50.0, 1.0))
    assert searches._bow(found) == pytest.approx(20 / 60)
    assert np.isnan(searches._bow(front([(1.0, 1.0)], (1.0, 3.0), (1.0, 5.0))))
