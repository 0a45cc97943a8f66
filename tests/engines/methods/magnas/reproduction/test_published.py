from __future__ import annotations

import numpy as np

from engines.cost.soc.clocks import MEMORY
from engines.methods.magnas.reproduction import published


def test_the_clocks_of_table_1_make_24_settings() -> None:
    words = published.clock_choices()
    assert np.prod([len(part.partition(":")[2].split()) for part in words.split(";")]) == 24
    assert words.count(MEMORY) == 1
