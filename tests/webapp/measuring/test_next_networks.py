"""What to measure next on a device: kinds that are not known, then what the fit is off by, then what did not settle."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from tests.webapp.measuring.test_calibrations import measured
from webapp.catalogue.models import DocumentVersion
from webapp.measuring import jobs
from webapp.measuring.calibrations import calibrate_device
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.next_networks import MeasuredPlace, next_networks, place_of

FEW = ("digits-chain", "squeezenet1-1", "mobilenet-v2", "resnet18", "vit-b-32", "swin-v2-t")


@pytest.fixture
def version(people: People, device: AgentDevice, monkeypatch: pytest.MonkeyPatch) -> DocumentVersion:
    """Return the version of a fit to two networks."""
    monkeypatch.setattr("webapp.measuring.next_networks.CANDIDATES", FEW)
    for slug in ("squeezenet1-1", "mobilenet-v2"):
        measured(people, device, slug)
    found: DocumentVersion = calibrate_device(people.editor, device, 1).version
    return found


def test_the_least_sure_come_first_and_what_waits_is_left_out(
    people: People, device: AgentDevice, version: DocumentVersion
) -> None:
    place = place_of(people.editor, version)
    assert place == MeasuredPlace(device, 1)
    found = next_networks(people.editor, place, version)
    # Two have kinds that no fitted network has (one an activation of its own); of the last of `FEW` no file can be written.
    assert {each.network: each.unknown for each in found[:2]} == {
        "vit-b-32": ("matmul", "norm", "softmax"), "resnet18": ("activation",),
    }  # fmt: skip
    assert [each.network for each in found[2:]] == ["digits-chain"]
    assert found[2].off is not None and found[2].kind is not None and 0 < found[2].kind[2] <= 1
    jobs.ask(people.editor, device, ["vit-b-32"], [1])
    assert "vit-b-32" not in {each.network for each in next_networks(people.editor, place, version)}


def test_what_did_not_settle_is_asked_again(people: People, device: AgentDevice, version: DocumentVersion) -> None:
    place = place_of(people.editor, version)
    assert place is not None
    row = Measurement.objects.get(network__slug="mobilenet-v2")
    median = row.result["latency_s"]["median"]
    row.result["latency_s"] |= {"settled": False, "low": 0.5 * median, "high": 1.2 * median}
    row.save()
    found = {each.network: each for each in next_networks(people.editor, place, version)}
    assert found["mobilenet-v2"].half_width == pytest.approx(0.5)


def test_who_may_have_nothing_measured_is_told_nothing(
    people: People, device: AgentDevice, version: DocumentVersion
) -> None:
    assert place_of(people.viewer, version) is None and place_of(people.stranger, version) is None
    AgentDevice.objects.update(revoked="2026-01-01T00:00:00Z")
    assert place_of(people.editor, version) is None
