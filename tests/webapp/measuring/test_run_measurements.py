"""Runs that have designs measured while they search: what may be asked for, and how worker, child and agent work together."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from tests.support.databases import SQLITE
from tests.support.live import PATIENCE_S, LiveSite
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import MACHINE, RESULT, as_agent
from webapp.measuring import jobs
from webapp.measuring.devices import register, revoke
from webapp.measuring.models import AgentDevice, Measurement, RunnableDesign
from webapp.measuring.run_measurements import DeviceMeasurer
from webapp.runs import service
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.inputs.measurement_hooks import read_measure
from webapp.runs.models import LogLine, Run, RunResult
from webapp.runs.queue import claim
from webapp.runs.storage.design_chunks import stored_designs
from webapp.runs.worker import run_supervisor
from webapp.runs.worker.heartbeat_timeout import HeartbeatTimeout
from webapp.teams.visibility import personal_project

HADAS = {
    "engine": "hadas",
    "inputs": {"hardware": "jetson-tx2"},
    "params": {"clock_steps": 2, "evaluations": 24, "population": 8, "baselines": False, "compare": False},
}
SPLIT = {
    "engine": "split-network",
    "inputs": {"hardware": "jetson-tx2", "workload": "digits-chain", "radio": "wifi-smartphone"},
    "params": {"compression": 1.0, "unmeasured": "assumed"},
}


# -- what may be asked for --------------------------------------------------------------------------------------------


def test_what_is_asked_for_is_stored_with_the_run_and_starts_the_next_one(people: People, device: AgentDevice) -> None:
    run = service.create(people.editor, HADAS | {"measure": {"device": device.pk, "designs": 3}}, people.project)
    assert run.measure == {"device": device.pk, "designs": 3, "threads": 1, "wait_minutes": 10.0}
    assert service.start_from(run)["measure"] == run.measure
    plain = service.create(people.editor, HADAS, people.project)
    assert plain.measure == {} and "measure" not in service.start_from(plain)
    assert plain.problem_hash == run.problem_hash
    problem = problem_from_document(people.editor, HADAS)
    assert service.token_of(problem, None) != service.token_of(problem, None, {"device": 1, "designs": 3})


REFUSED = [
    ({"designs": 2}, "measure.device", "None"),
    ({"designs": -1}, "measure.designs", "from 0 to 60"),
    ({"designs": 61}, "measure.designs", "from 0 to 60"),
    ({"designs": 2.5}, "measure.designs", "whole number"),
    ({"designs": 2, "threads": 3}, "measure.threads", "from 1 to the 2 cores of Test box"),
    ({"designs": 2, "wait_minutes": 0}, "measure.wait_minutes", "above 0"),
    ({"designs": 2, "wait_minutes": float("nan")}, "measure.wait_minutes", "above 0"),
    ({"budget": 2}, "measure.budget", "device, designs, threads, wait_minutes"),
    ("desk", "measure", "a mapping"),
]


@pytest.mark.parametrize(("given", "field", "words"), REFUSED)
def test_what_cannot_be_is_refused_by_its_field(
    people: People, device: AgentDevice, given: Any, field: str, words: str
) -> None:
    if isinstance(given, dict) and field != "measure.device":
        given = {"device": device.pk, **given}
    with pytest.raises(ProblemError, match=words) as error:
        service.create(people.editor, HADAS | {"measure": given}, people.project)
    assert error.value.field == field


def test_who_may_not_measure_there_is_told_which_devices_they_may_use(people: People, device: AgentDevice) -> None:
    wish = HADAS | {"measure": {"device": device.pk, "designs": 2}}
    for person in (people.viewer, people.stranger):
        with pytest.raises(ProblemError, match="there is none; the page Devices makes one") as error:
            service.create(person, wish)
        assert error.value.field == "measure.device"
    assert "(Test box)" in str(_refusal(people.editor, {"device": device.pk + 1, "designs": 2}))
    revoke(people.owner, device.pk)
    assert "there is none" in str(_refusal(people.editor, {"device": device.pk, "designs": 2}))


def _refusal(person: Any, wish: dict[str, Any]) -> ProblemError:
    with pytest.raises(ProblemError) as error:
        read_measure(person, get_engine("hadas"), wish)
    return error.value


def test_engines_whose_designs_no_machine_runs_take_none(people: People, device: AgentDevice, toys: None) -> None:
    with pytest.raises(ProblemError, match="cannot be measured on a device"):
        read_measure(people.editor, get_engine("toy"), {"device": device.pk, "designs": 1})
    assert read_measure(people.editor, get_engine("toy"), {"designs": 0}) == {}


def test_what_a_process_says_of_files_is_not_believed(people: People, device: AgentDevice) -> None:
    run = service.create(people.editor, SPLIT | {"measure": {"device": device.pk, "designs": 1}}, people.project)
    measurer = DeviceMeasurer(run)
    measurer.ask(b'{"numbers": [3], "files": {"' + b"0" * 64 + b'": {"onnx": "AAAA", "about": {}}}, "designs": [{}]}')
    (told,) = measurer.answers()
    assert (told.number, told.latency_s) == (3, None) and "the hash of the file's own content" in told.trouble
    measurer.ask(b'{"numbers": [3, 4], "files": {}, "designs": [{}, {}]}')
    assert all("at most 1" in each.trouble for each in measurer.answers())
    assert not Measurement.objects.exists()


# -- one run of a worker, a child and an agent ------------------------------------------------------------------------


@pytest.fixture
def box(live_site: LiveSite) -> AgentDevice:
    return register(as_agent(live_site.ann, personal_project(live_site.ann).pk), "Test box", MACHINE)[0]


def answer_one(device: AgentDevice) -> bool:
    """What an agent does: takes a job and answers; how long a file takes depends on its content alone."""
    job = jobs.take_here(device)
    if job is None:
        return False
    median_s = 0.001 * (1 + int(job.network.content_hash[:4], 16) / 65536)
    latency = {**RESULT["latency_s"], "median": median_s, "low": 0.99 * median_s, "high": 1.01 * median_s}
    jobs.answer(job, result={**RESULT, "latency_s": latency})
    return True


def start(site: LiveSite, device: AgentDevice, document: dict[str, Any], designs: int, **wish: Any) -> Run:
    measure = {"device": device.pk, "designs": designs, **wish}
    return service.start(site.ann, document | {"measure": measure})


def with_agent(site: LiveSite, device: AgentDevice, run: Run, *statuses: str) -> Run:
    """Wait for the run while an agent works."""

    def reached() -> bool:
        answer_one(device)
        run.refresh_from_db()
        return run.status in statuses

    site.wait(reached, f"run {run.pk} {statuses}")
    return run


def told_of(run: Run) -> list[Any]:
    """The newest of each result on measurements."""
    rows = RunResult.objects.filter(run=run, name__startswith="measured-in-run").order_by("step_number")
    return sorted({row.name: row.content for row in rows}.items())


@SQLITE
def test_a_run_killed_while_it_waits_ends_as_one_that_was_not(live_site: LiveSite, box: AgentDevice) -> None:
    live_site.worker()
    run = start(live_site, box, HADAS, 3)
    waiting = Measurement.objects.filter(state="waiting")
    live_site.wait(waiting.exists, "the first question")
    live_site.wait(lambda: Run.objects.get(pk=run.pk).platform, "the child")
    os.kill(live_site.child(run), signal.SIGKILL)
    with_agent(live_site, box, run, "done", "failed")
    assert run.status == "done" and run.attempt == 2
    whole = with_agent(live_site, box, start(live_site, box, HADAS, 3), "done", "failed")
    assert whole.attempt == 1
    killed, unbroken = stored_designs(run.pk), stored_designs(whole.pk)
    assert killed is not None and unbroken is not None and killed.equals(unbroken)
    assert told_of(run) == told_of(whole) and len(told_of(run)) == 2
    assert "3 of 3 designs measured on Test box, 1 thread" in told_of(run)[1][1]["text"]
    asked = RunnableDesign.objects.filter(run=run, attempt=2).count()
    assert asked == 3, "the tab shows what was asked before the kill as well"


@SQLITE
def test_a_stop_takes_effect_while_it_waits_and_a_silent_run_that_waits_is_not_ended(
    live_site: LiveSite, box: AgentDevice
) -> None:
    run, signals = start(live_site, box, SPLIT, 2), run_supervisor.Signals()
    fencing_token = claim.claim_this("test", run.pk)
    assert fencing_token is not None
    watched = run_supervisor.RunSupervisor(fencing_token, signals)

    def keep() -> run_supervisor.Kept:
        try:
            return watched.keep()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as beside:
        kept = beside.submit(keep)
        try:
            live_site.wait(Measurement.objects.filter(state="waiting").exists, "the first question")
            live_site.wait(lambda: "Waiting for measurements" in Run.objects.get(pk=run.pk).message, "told")
            watched._silence = HeartbeatTimeout(3.0)  # not before: a process may take longer to start
            began_s = Run.objects.get(pk=run.pk).computed_s
            longer_s = began_s + 4.0  # than it may be silent
            live_site.wait(
                lambda: kept.done() or Run.objects.get(pk=run.pk).computed_s > longer_s, "it waits that long"
            )
            assert not kept.done()
            service.request_stop(live_site.ann, run)
            assert kept.result(PATIENCE_S) == "done", "its search was over: nothing is lost by the stop"
        finally:
            signals.leave.set()


@SQLITE
def test_an_agent_that_never_comes_is_not_waited_for_for_ever(live_site: LiveSite, box: AgentDevice) -> None:
    live_site.worker()
    run = start(live_site, box, SPLIT, 2, wait_minutes=0.01)
    live_site.wait_for_status(run, "done", "failed")
    assert run.status == "done"
    assert LogLine.objects.filter(run=run, level="warning", text__contains="did not answer in time").exists()
    assert "1 were not answered in time" in told_of(run)[1][1]["text"]
