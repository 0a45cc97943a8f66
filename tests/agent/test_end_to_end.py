"""A real agent process against a real server: three networks are registered for, signed, measured, answered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.stored_runs import make_people
from webapp.api.tokens import make_token
from webapp.measuring import jobs
from webapp.measuring.models import AgentDevice, Measurement

NETWORKS = ["digits-chain", "ecg-cnn-512", "activity-cnn-128"]
AGENT = Path(__file__).resolve().parents[2] / "agent"


def run_agent(url: str, token: str, *more: str) -> subprocess.CompletedProcess[str]:
    """The command as somebody types it; other tests may load the machine."""
    command = [sys.executable, "-m", "paretoscope_agent", "measure", "--url", url, "--name", "Test box", "--once"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(AGENT), "PARETOSCOPE_AGENT_TOKEN": token}
    return subprocess.run(
        [*command, "--accept-load", "999", *more], env=environment, capture_output=True, text=True, timeout=200, check=False
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_an_agent_measures_three_networks(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.measuring.jobs.REPEAT_S", 0.5)
    people = make_people()
    token = make_token(people.owner, "Agent", "agent", people.project.slug)[1]

    first = run_agent(live_server.url, token)
    assert first.returncode == 0, first.stderr
    device = AgentDevice.objects.get()
    assert (device.slug, device.project) == ("test-box", people.project)

    jobs.ask(people.owner, device, NETWORKS, [1])
    second = run_agent(live_server.url, token)
    assert second.returncode == 0, second.stderr
    assert "3 jobs measured" in second.stderr

    found = list(Measurement.objects.select_related("network"))
    assert {each.network.slug for each in found} == set(NETWORKS)
    for each in found:
        assert each.state == Measurement.State.DONE, each.trouble
        latency = each.result["latency_s"]
        assert 0 < latency["low"] <= latency["median"] <= latency["high"]
        assert {node["operator"] for node in each.result["nodes"]} & {"Conv", "Gemm", "FusedConv"}
