"""A run whose designs were measured on a device."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, computed_run
from tests.webapp.measuring.conftest import agent, device
from tests.webapp.measuring.test_designs import SPLIT, measured, on_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.models import AgentDevice
from webapp.runs.models import Run

__all__ = ["agent", "device"]


@pytest.fixture
def run(people: People) -> Run:
    """Cuts of a network, of which nothing was measured."""
    return computed_run(people, SPLIT)


@pytest.fixture
def measured_run(people: People, run: Run, device: AgentDevice) -> Run:
    """The first two designs with layers on the device measured; the third waits."""
    numbers = on_device(run)
    ask_designs(people.owner, run, numbers[:2], device, 1)
    measured(0.010)
    ask_designs(people.owner, run, numbers[2:3], device, 1)
    return run
