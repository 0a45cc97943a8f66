"""Words about systems on a chip."""

from __future__ import annotations

import pytest

from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.summary import soc_words


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        (
            "jetson-agx-xavier",
            "CPU 8 cores to 2266 MHz, GPU 512 cores to 1377 MHz, 2 DLA to 1395 MHz; memory 136.5 GB/s",
        ),
        (
            "three-dataflow-accelerators",
            "DSA-k to 1000 MHz, DSA-y to 1000 MHz, DSA-d to 1000 MHz; memory 16 GB/s",
        ),
        ("efm32-giant-gecko", "Core to 48 MHz"),
        ("ublox-max-m8q", "acquisition 0.075 W, tracking 0.063 W, cyclic-power-save 0.018 W"),
    ],
)
def test_a_device_is_told_by_its_units_or_its_states(slug: str, words: str) -> None:
    assert soc_words(load_soc(builtin_socs()[slug])) == words
