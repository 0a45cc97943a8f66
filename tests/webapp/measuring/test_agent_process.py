"""The agent of this machine as a process."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.measuring import agent_process, jobs
from webapp.measuring.models import AgentDevice


def test_it_measures_a_job(people: People, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, ["digits-chain"], [1])
    job = jobs.take_here(device)
    assert job is not None
    found = agent_process.measure(job, 0.2, 999)
    assert found["latency_s"]["median"] > 0 and found["nodes"] and "file" not in found


def test_a_loaded_machine_is_told_with_its_load() -> None:
    with pytest.raises(agent_process.AgentError, match="too loaded to measure: other programs use"):
        agent_process.probe(-1.0)
