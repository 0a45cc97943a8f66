"""A run that searches, its worker and its child, a server on loopback, and an agent that measures what the run waits for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engines.contract.encoding.result_json import from_json
from tests.agent.test_end_to_end import AGENT, run_agent
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.webapp.measuring.test_run_measurements import HADAS, SPLIT, start, told_of
from webapp.api.tokens import make_token
from webapp.measuring.measured_designs import measured_designs
from webapp.measuring.models import AgentDevice, Measurement
from webapp.runs.models import Run
from webapp.teams.visibility import personal_project


@contextmanager
def agent(url: str, token: str) -> Iterator[None]:
    """The agent that goes on until it is ended; other tests may load the machine."""
    command = [sys.executable, "-m", "paretoscope_agent", "measure", "--url", url, "--name", "Test box"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(AGENT), "PARETOSCOPE_AGENT_TOKEN": token}
    process = subprocess.Popen(
        [*command, "--accept-load", "999"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


@SQLITE
@pytest.mark.long
@pytest.mark.parametrize(("document", "designs"), [(SPLIT, 1), (HADAS, 3)], ids=["split-network", "hadas"])
def test_an_agent_measures_what_a_search_asks_for(
    live_site: LiveSite, live_url: str, document: dict[str, Any], designs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.measuring.jobs.REPEAT_S", 0.5)
    token = make_token(live_site.ann, "Agent", "agent", personal_project(live_site.ann).slug)[1]
    registered = run_agent(live_url, token)
    assert registered.returncode == 0, registered.stderr
    device = AgentDevice.objects.get()
    live_site.worker()
    run = start(live_site, device, document, designs)
    with agent(live_url, token):
        live_site.wait_for_status(run, "done", "failed", timeout_s=200.0)
    assert run.status == "done", run.outcome_detail
    table, note = (content for _, content in told_of(run))
    assert f"{designs} of {designs} designs measured on Test box, 1 thread" in note["text"]
    assert {each.state for each in Measurement.objects.all()} == {"done"}
    found = measured_designs(live_site.ann, Run.objects.get(pk=run.pk))
    assert len(found) == designs and all(each.latency is not None for each in found)
    columns = {column.title: column.values for column in from_json(table).table_columns}
    measured = [number for number, value in zip(columns["Design"], columns["Measured"], strict=True) if value > 0]
    assert sorted(measured) == sorted(each.number for each in found)
