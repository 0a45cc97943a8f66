"""What the buttons of the page of devices do."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from frontend.pages.devices.actions import done_on
from tests.support.stored_runs import People
from tests.webapp.measuring.test_calibrations import measured
from webapp.measuring.models import AgentDevice, Measurement
from webapp.teams.permissions import NotAllowed


def test_networks_by_name_are_queued_for_each_number_of_threads(people: People, device: AgentDevice) -> None:
    assert done_on(people.editor, device, "these", "digits-chain, ecg-cnn-512").startswith("4 measurements wait")
    with pytest.raises(ProblemError, match="separated by commas"):
        done_on(people.editor, device, "these", " , ")
    with pytest.raises(NotAllowed):
        done_on(people.viewer, device, "these", "digits-chain")


def test_again_is_another_round_of_what_was_measured(people: People, device: AgentDevice) -> None:
    measured(people, device, "digits-chain")
    assert done_on(people.editor, device, "again", "").startswith("2 measurements wait")
    assert sorted(Measurement.objects.filter(state="waiting").values_list("threads", "round")) == [(1, 1), (2, 0)]


def test_calibrate_revoke_and_allow(people: People, device: AgentDevice) -> None:
    for slug in ("squeezenet1-1", "mobilenet-v2"):
        measured(people, device, slug)
    assert (
        done_on(people.editor, device, "calibrate", "") == "Test box is calibrated to the measurements with 1 thread."
    )
    assert "gets no more jobs" in done_on(people.editor, device, "revoke", "")
    assert "may register again" in done_on(people.editor, device, "allow", "")
