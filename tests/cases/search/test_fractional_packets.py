"""Packets of 2.5 flits are refused: a packet has whole flits."""

from __future__ import annotations

import pytest

from engines.simulation.noc.networks import mesh
from engines.simulation.noc.simulation import simulate
from engines.simulation.noc.traffic import uniform


def test_packets_of_fractions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"packet_flits must be a whole number from 1 on\. Got 2\.5"):
        simulate(mesh(4, 4), uniform(16, 0.1, 2.5))  # type: ignore[arg-type]
