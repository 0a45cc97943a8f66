"""A device with an agent, and networks that are quick to write."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, make_people
from webapp.api.models import ApiToken
from webapp.measuring.devices import register
from webapp.measuring.models import AgentDevice
from webapp.teams.permissions import limited
from webapp.teams.visibility import Principal

MACHINE: dict[str, Any] = {
    "architecture": "x86_64",
    "processor": "Test processor",
    "cores": 2,
    "clock_mhz": 2000.0,
    "memory_gib": 8.0,
    "governor": "performance",
    "throttled": 0,
    "virtual": False,
    "caches_kib": {"L1d": 32.0, "L3": 8192.0},
    "runtime": "onnxruntime 1.32.0",
    "peaks": [
        {"threads": 1, "operations_per_s": 6.4e10, "bandwidth_bytes_per_s": 1.2e10},
        {"threads": 2, "operations_per_s": 1.2e11, "bandwidth_bytes_per_s": 2.0e10},
    ],
    "kind": "a" * 64,
}
RESULT: dict[str, Any] = {
    "latency_s": {"median": 0.010, "low": 0.0099, "high": 0.0102, "count": 60, "settled": True},
    "nodes": [{"name": "conv1", "operator": "Conv", "provider": "CPUExecutionProvider", "time_us": 9000.0}],
    "energy_j": None,
    "energy_source": "none",
    "others_cores": 0.01,
    "clock_mhz": [2000.0, 2000.0],
    "notes": [],
}


def as_agent(person: Any, project: int, number: int | None = None) -> Principal:
    """The person, limited as a token of the scope agent limits."""
    token = ApiToken(pk=number, scope=ApiToken.Scope.AGENT, project_id=project)
    again = type(person).objects.get(pk=person.pk)
    found: Principal = limited(again, token.limits)
    return found


@pytest.fixture
def people(db: None) -> People:
    return make_people()


@pytest.fixture
def agent(people: People) -> Principal:
    return as_agent(people.owner, people.project.pk)


@pytest.fixture
def device(agent: Principal) -> AgentDevice:
    return register(agent, "Test box", MACHINE)[0]
