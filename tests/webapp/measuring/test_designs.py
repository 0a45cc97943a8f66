"""Designs of a run that are asked of a device, and what pages know of them as their pieces are measured."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, computed_run, finished_run
from tests.webapp.measuring.conftest import MACHINE, RESULT
from webapp.measuring.calibrations import newest_results
from webapp.measuring.designs import MOST_DESIGNS, ask_designs, measurable_of
from webapp.measuring.devices import register
from webapp.measuring.measured_designs import measured_designs, narrowed
from webapp.measuring.models import AgentDevice, Measurement, RunnableDesign
from webapp.measuring.overview import device_overviews
from webapp.runs.models import Run
from webapp.teams.permissions import NotAllowed, NotVisible, Principal

SPLIT = {
    "engine": "split-network",
    "inputs": {"hardware": "jetson-tx2", "workload": "digits-chain", "radio": "wifi-smartphone"},
    "params": {"compression": 1.0, "unmeasured": "assumed"},
    "title": "Cuts of digits",
}


@pytest.fixture
def run(people: People) -> Run:
    return computed_run(people, SPLIT)


def on_device(run: Run) -> list[int]:
    """Numbers of designs with layers on the device."""
    from webapp.runs.results import readers

    layers = readers.load_designs(run, ["device_layers"]).columns["device_layers"]
    return [number for number, count in enumerate(layers) if count]


def measured(median_s: float = 0.010, **changes: Any) -> None:
    """All that waits has been measured."""
    latency = {**RESULT["latency_s"], "median": median_s, "low": 0.9 * median_s, "high": 1.2 * median_s, **changes}
    Measurement.objects.filter(state="waiting").update(
        state="done", ended=timezone.now(), result={**RESULT, "latency_s": latency, "agent": "0.1.0"}
    )


def test_designs_become_files_that_wait_and_then_are_known(people: People, run: Run, device: AgentDevice) -> None:
    numbers = on_device(run)
    asked = ask_designs(people.editor, run, numbers, device, 1)
    assert asked.waiting == Measurement.objects.count() > 0 and not asked.refused
    waiting = measured_designs(people.viewer, run)
    assert [each.number for each in waiting] == numbers and {each.state for each in waiting} == {"waiting"}
    measured()
    found = {each.number: each for each in measured_designs(people.viewer, run)}
    for each in found.values():
        assert each.latency is not None and each.settled and each.where == "Test box, 1 thread"
        assert each.latency.median_s == pytest.approx(0.010 + each.rest_s)
        assert each.latency.low_s == pytest.approx(0.009 + each.rest_s)
    assert set(found) == set(numbers)
    again = ask_designs(people.editor, run, numbers, device, 1)
    assert (again.waiting, again.known) == (0, asked.waiting), "nothing is measured twice"


def test_several_numbers_of_threads_are_so_many_measurements(people: People, run: Run, device: AgentDevice) -> None:
    number = on_device(run)[0]
    assert ask_designs(people.editor, run, [number], device, [1, 2]).waiting == 2
    measured()
    found = measured_designs(people.viewer, run)
    assert [each.where for each in found] == ["Test box, 1 thread", "Test box, 2 threads"]


def test_a_provider_of_the_device_can_be_chosen(people: People, run: Run, device: AgentDevice) -> None:
    number = on_device(run)[0]
    with pytest.raises(ProblemError, match="one of the providers of Test box: CPUExecutionProvider"):
        ask_designs(people.editor, run, [number], device, 1, provider="CUDAExecutionProvider")
    device.machine["providers"] = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    device.save()
    for provider in device.machine["providers"]:
        assert ask_designs(people.editor, run, [number], device, 1, provider=provider).waiting == 1
    job = Measurement.objects.get(provider="CUDAExecutionProvider")
    measured()
    found = measured_designs(people.viewer, run)
    assert [each.where for each in found] == ["Test box, 1 thread", "Test box, CUDA"]
    assert job.network.piece and not newest_results(device, 1)


def test_measured_designs_are_narrowed_and_sorted(people: People, run: Run, device: AgentDevice) -> None:
    numbers = on_device(run)[:3]
    for number, median_s in zip(numbers, (0.3, 0.1, None), strict=True):
        ask_designs(people.editor, run, [number], device, 1)
        if median_s is not None:
            measured(median_s)
    found = measured_designs(people.viewer, run)
    first, second, third = numbers
    for asked, wanted in (
        ({"sort": "latency"}, [second, first, third]),
        ({"sort": "-latency"}, [first, second, third]),
        ({"states": ("measured",), "sort": "number"}, [first, second]),
        ({"at_most_s": 0.2 + found[0].rest_s}, [second]),
        ({"at_least_s": 0.0}, [first, second]),
        ({"threads": 2}, []),
    ):
        assert [each.number for each in narrowed(found, **asked)] == wanted, asked


def test_the_same_design_of_another_run_is_known_already(people: People, run: Run, device: AgentDevice) -> None:
    numbers = on_device(run)
    ask_designs(people.editor, run, numbers[:2], device, 1)
    measured()
    other = computed_run(people, SPLIT)
    assert not measured_designs(people.viewer, other), "nobody asked of it"
    assert ask_designs(people.editor, other, numbers[:2], device, 1).waiting == 0
    assert {each.state for each in measured_designs(people.viewer, other)} == {"measured"}


def test_what_cannot_be_run_says_why(people: People, run: Run, device: AgentDevice) -> None:
    away = next(number for number in range(run.design_count) if number not in on_device(run))
    asked = ask_designs(people.editor, run, [away], device, 1)
    assert asked.waiting == 0 and "nothing to measure" in asked.refused[away]
    assert not measured_designs(people.viewer, run)


def test_a_failed_piece_fails_the_design_until_it_is_asked_again(people: People, run: Run, device: AgentDevice) -> None:
    number = on_device(run)[0]
    ask_designs(people.editor, run, [number], device, 2)
    Measurement.objects.update(state="failed", trouble="no such operator")
    (found,) = measured_designs(people.viewer, run)
    assert (found.state, found.trouble, found.latency) == ("failed", "no such operator", None)
    assert ask_designs(people.editor, run, [number], device, 2).waiting == 1


def test_results_of_another_machine_under_the_name_do_not_count(
    people: People, run: Run, device: AgentDevice, agent: Principal
) -> None:
    ask_designs(people.editor, run, on_device(run)[:1], device, 1)
    measured()
    register(agent, "Test box", {**MACHINE, "kind": "b" * 64})
    assert not measured_designs(people.viewer, run)


def test_another_attempt_may_have_other_designs_under_the_same_numbers(
    people: People, run: Run, device: AgentDevice
) -> None:
    ask_designs(people.editor, run, on_device(run)[:1], device, 1)
    measured()
    run.attempt += 1
    run.save(update_fields=["attempt"])
    assert not measured_designs(people.viewer, run)
    assert ask_designs(people.editor, run, on_device(run)[:1], device, 1).waiting == 0, "the file is known"


def test_pieces_are_no_networks_of_the_device(people: People, run: Run, device: AgentDevice) -> None:
    ask_designs(people.editor, run, on_device(run)[:1], device, 1)
    measured()
    (shown,) = device_overviews(people.viewer)
    assert not shown.networks and shown.pieces == 1 and not newest_results(device, 1)


@pytest.mark.parametrize(
    ("numbers", "threads", "words"),
    [
        ([], 1, "from 1 to 60"),
        (range(MOST_DESIGNS + 1), 1, "from 1 to 60"),
        ([100_000], 1, "numbers of designs"),
        ([-1], 1, "numbers of designs"),
        ([1], 3, "from 1 to the 2 cores"),
    ],
)
def test_bad_wishes_are_refused(
    people: People, run: Run, device: AgentDevice, numbers: Any, threads: int, words: str
) -> None:
    with pytest.raises(ProblemError, match=words):
        ask_designs(people.editor, run, list(numbers), device, threads)
    assert not RunnableDesign.objects.exists()


def test_who_may_ask_and_see(people: People, run: Run, device: AgentDevice) -> None:
    with pytest.raises(NotAllowed):
        ask_designs(people.viewer, run, [1], device, 1)
    with pytest.raises(NotVisible):
        ask_designs(people.stranger, run, [1], device, 1)
    ask_designs(people.editor, run, on_device(run)[:1], device, 1)
    assert measured_designs(people.viewer, run) and not measured_designs(people.stranger, run)


def test_an_engine_that_says_nothing_is_refused(people: People, device: AgentDevice, toys: None) -> None:
    run = finished_run(people, steps=1, designs_per_step=2)
    assert measurable_of(run) is None
    with pytest.raises(ProblemError, match="devices can measure"):
        ask_designs(people.editor, run, [0], device, 1)
