from __future__ import annotations

from dataclasses import replace

from engines.methods.magnas.reproduction import accelerators
from engines.methods.magnas.reproduction.common import MEAN
from engines.reproduction.verdicts import verdict_of


def test_layers_that_gain_nothing_over_blocks_are_no_win() -> None:
    even = replace(accelerators.BLANK, blocks_over_layers=1.0000000000000007)  # a search over layers can do no worse
    rows = {row.name: row for row in accelerators.figures_9_and_10(MEAN, even, dict.fromkeys(accelerators.PAIRS, 90.0))}
    row = rows["Energy by blocks over that by layers, as fast as the fastest by blocks"]
    assert row.ordering is False and row.why and verdict_of(row) == "differs (explained)"
