"""Measurements of a device as its calibration, and the devices as pages show them."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from tests.engines.cost.profiles.test_profile_reader import profile
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import RESULT
from webapp.catalogue.names import get_entry
from webapp.measuring import devices, jobs
from webapp.measuring.board_points import board_points
from webapp.measuring.calibrations import calibrate_device, network_errors
from webapp.measuring.models import AgentDevice, MeasuredProfile, Measurement
from webapp.measuring.overview import device_overviews
from webapp.teams.permissions import NotAllowed


def measured(people: People, device: AgentDevice, slug: str, factor: float = 1.0) -> None:
    """The network as measured; once more with a factor."""
    jobs.ask(people.owner, device, [slug], [1], again=factor != 1.0)
    made = profile(slug, "fitted")["result"]
    nodes = [{**node, "provider": "CPUExecutionProvider"} for node in made["nodes"]]
    job = jobs.take_here(device)
    assert job is not None
    median = factor * made["latency_s"]["median"]
    latency = {**RESULT["latency_s"], "median": median, "low": 0.99 * median, "high": 1.01 * median}
    jobs.answer(job, result={**RESULT, "latency_s": latency, "nodes": nodes})


def test_a_calibration_says_how_far_it_is_off(people: People, device: AgentDevice) -> None:
    for slug in ("squeezenet1-1", "mobilenet-v2", "mobilenet-v3-small"):
        measured(people, device, slug)
    found = calibrate_device(people.editor, device, 1, ["mobilenet-v3-small"])
    assert found.version.document.slug == "measured-test-box-1-thread" and not found.skipped
    errors = {each.network: each for each in network_errors(found.calibration)}
    assert {name for name, each in errors.items() if each.never_fitted} == {"mobilenet-v3-small"}
    assert set(errors) == {"squeezenet1-1", "mobilenet-v2", "mobilenet-v3-small"}
    overview = device_overviews(people.viewer)[0]
    assert overview.calibrations == {1: "lab/measured-test-box-1-thread"} and overview.counts["done"] == 3
    shown = {each.network: each for each in overview.networks}
    assert shown["mobilenet-v3-small"].estimate == errors["mobilenet-v3-small"]


def test_drift_is_from_the_first_round_to_the_newest(people: People, device: AgentDevice) -> None:
    measured(people, device, "digits-chain")
    assert device_overviews(people.viewer)[0].networks[0].drift is None
    measured(people, device, "digits-chain", 1.1)
    shown = device_overviews(people.viewer)[0].networks[0]
    assert shown.rounds == 2 and shown.drift == pytest.approx(0.1)
    assert not device_overviews(people.stranger)


def test_shared_measurements_stand_on_the_page_of_their_board_until_an_editor_ends_that(
    people: People, device: AgentDevice
) -> None:
    for slug in ("squeezenet1-1", "mobilenet-v2", "mobilenet-v3-small"):
        measured(people, device, slug)
    calibrate_device(people.editor, device, 1)
    board = get_entry(people.stranger, "hardware", "raspberry-pi-5")
    assert not board_points(people.stranger, board)
    with pytest.raises(NotAllowed):
        devices.share(people.viewer, device.pk, "raspberry-pi-5")
    with pytest.raises(ProblemError, match="ships with the product"):
        devices.share(people.editor, device.pk, "no-board")
    devices.share(people.editor, device.pk, "raspberry-pi-5")
    rows = {each.row.network: each.row for each in board_points(people.stranger, board)}
    assert set(rows) == {"squeezenet1-1", "mobilenet-v2", "mobilenet-v3-small"}
    row = rows["mobilenet-v2"]
    assert row.ratio and row.measured_on == "Test box: Test processor, 2 cores" and row.unit == "CPU, 1 thread"
    assert row.note == "clock 2000 MHz; other programs used 0.01 cores"
    assert not board_points(people.stranger, get_entry(people.stranger, "hardware", "rk3588"))[-1].project
    devices.share(people.editor, device.pk, "")
    assert not board_points(people.stranger, board)


def test_it_takes_an_editor_and_measurements(people: People, device: AgentDevice) -> None:
    with pytest.raises(NotAllowed):
        calibrate_device(people.viewer, device, 1)
    with pytest.raises(ProblemError, match="networks measured on Test box with 1 thread"):
        calibrate_device(people.editor, device, 1)


def test_measurements_that_the_release_before_stored_during_an_upgrade_are_calibrated(
    people: People, device: AgentDevice
) -> None:
    for slug in ("squeezenet1-1", "mobilenet-v2", "mobilenet-v3-small"):
        measured(people, device, slug)
    old = Measurement.objects.get(network__slug="mobilenet-v2")
    Measurement.objects.filter(pk=old.pk).update(result=old.profiled)
    expected = calibrate_device(people.editor, device, 1, ["mobilenet-v3-small"]).version.content
    MeasuredProfile.objects.filter(measurement=old).delete()
    assert calibrate_device(people.editor, device, 1, ["mobilenet-v3-small"]).version.content == expected
