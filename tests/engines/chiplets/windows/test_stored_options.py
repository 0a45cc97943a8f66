"""Mappings come back from JSON values with every digit."""

from __future__ import annotations

import msgpack
import numpy as np

from engines.chiplets.problem.decision import Placement
from engines.chiplets.windows.options import WindowOption
from engines.chiplets.windows.stored_options import option_from_json, option_to_json


def test_an_option_comes_back_through_bytes() -> None:
    window = (Placement(0, 2, (3, 7), (4, np.int64(1))), Placement(3, 0, (np.int64(5),), (8,)))
    option = WindowOption(window, np.float64(0.1 + 0.2), 1 / 3)
    found = option_from_json(msgpack.unpackb(msgpack.packb(option_to_json(option))))
    assert found == option
    assert all(type(cut) is int for placement in found.window for cut in placement.cuts)
