"""The page of devices: what it shows of measurements, and to whom it offers what."""

from __future__ import annotations

from frontend.pages.devices.view import content
from tests.frontend.pages.deleted.cases import text_of
from tests.support.stored_runs import People
from tests.webapp.measuring.test_calibrations import measured
from webapp.measuring import devices, jobs
from webapp.measuring.models import AgentDevice


def shown(person: object) -> str:
    return " ".join(text_of(each) for each in content(person))  # type: ignore[arg-type]


def test_nothing_there_says_how_to_begin(people: People) -> None:
    assert "paretoscope-agent measure --url" in shown(people.stranger)


def test_it_shows_what_was_measured_and_what_waits(people: People, device: AgentDevice) -> None:
    measured(people, device, "digits-chain")
    jobs.ask(people.owner, device, ["ecg-cnn-512"], [2])
    words = shown(people.owner)
    for part in ("Test box", "digits-chain", "ecg-cnn-512", "waiting", "measured", "Revoke the agent", "Measure again"):
        assert part in words
    assert "Revoke the agent" not in shown(people.viewer) and "digits-chain" in shown(people.viewer)
    assert "Test box" not in shown(people.stranger)


def test_a_revoked_agent_may_be_allowed_again(people: People, device: AgentDevice) -> None:
    devices.revoke(people.owner, device.pk)
    words = shown(people.owner)
    assert "revoked" in words and "Allow the agent again" in words and "Measure the standard networks" not in words
