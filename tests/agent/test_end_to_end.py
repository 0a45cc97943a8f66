"""A real agent process against a real server: networks are registered for, signed, measured, answered; then designs of a run.

The loop closes: a calibration is fitted to the networks, a run predicts designs on the device, and the device measures them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paretoscope_agent import VERSION
from tests.support.stored_runs import People, computed_run, make_people
from webapp.api.tokens import make_token
from webapp.measuring import jobs
from webapp.measuring.calibrations import calibrate_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.measured_designs import measured_designs
from webapp.measuring.models import AgentDevice, Measurement

NETWORKS = ["digits-chain", "ecg-cnn-512", "activity-cnn-128"]
AGENT = Path(__file__).resolve().parents[2] / "agent"


def run_agent(url: str, token: str, name: str = "Test box") -> subprocess.CompletedProcess[str]:
    """The command as somebody types it; other tests may load the machine."""
    command = [sys.executable, "-m", "paretoscope_agent", "measure", "--url", url, "--name", name, "--once"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(AGENT), "PARETOSCOPE_AGENT_TOKEN": token}
    return subprocess.run(
        [*command, "--accept-load", "999"], env=environment, capture_output=True, text=True, timeout=200, check=False
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_an_agent_measures_networks_and_designs_of_a_run(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert {node["operator"] for node in each.profiled["nodes"]} & {"Conv", "Gemm", "FusedConv"}

    calibrate_device(people.owner, device, 1)
    measure_designs_of_a_run(people, device, live_server.url, token)
    measure_a_mapping(people, device, live_server.url, token)


def measure_designs_of_a_run(people: People, device: AgentDevice, url: str, token: str) -> None:
    """Cuts of a network between the device, as it was just calibrated, and a server."""
    inputs = {
        "hardware": "lab/measured-test-box-1-thread", "calibration": "lab/measured-test-box-1-thread",
        "workload": "activity-cnn-128", "radio": "wifi-smartphone",
    }  # fmt: skip
    params = {"compression": 1.0, "precision": "fp32"}
    run = computed_run(people, {"engine": "split-network", "inputs": inputs, "params": params, "title": "Cuts"})
    asked = ask_designs(people.owner, run, range(1, run.design_count), device, 1)
    assert asked.waiting > 2
    assert all(each.state == "waiting" for each in measured_designs(people.viewer, run))

    third = run_agent(url, token)
    assert third.returncode == 0, third.stderr
    assert f"{asked.waiting} jobs measured" in third.stderr
    found = measured_designs(people.viewer, run)
    assert len(found) == run.design_count - 1 - len(asked.refused)
    for each in found:
        assert each.state == "measured" and each.same_device, each.trouble
        assert each.latency is not None and each.latency.median_s > each.rest_s
    assert {each.agent for each in found} == {VERSION}
    assert ask_designs(people.owner, run, range(1, run.design_count), device, 1).waiting == 0


def measure_a_mapping(people: People, device: AgentDevice, url: str, token: str) -> None:
    """A network that is mapped to the device's processor, with one thread and, where there are more cores, with two."""
    inputs = {
        "hardware": "lab/measured-test-box-1-thread", "calibration": "lab/measured-test-box-1-thread",
        "workload": "ecg-cnn-512",
    }  # fmt: skip
    run = computed_run(people, {"engine": "soc-mapping", "inputs": inputs, "title": "On the processor"})
    threads = [1, 2][: int(device.machine["cores"])]
    assert ask_designs(people.owner, run, [0], device, threads).waiting == len(threads)
    last = run_agent(url, token)
    assert last.returncode == 0, last.stderr
    found = measured_designs(people.viewer, run)
    assert [(each.state, each.place.threads) for each in found] == [("measured", count) for count in threads]
    assert [each.same_device for each in found] == [True, False][: len(threads)], "the run predicts one thread"
