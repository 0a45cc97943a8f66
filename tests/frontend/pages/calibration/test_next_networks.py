"""The card of what to measure next on the page of a device's calibration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from frontend.ids.calibration import CalibrationIds
from frontend.pages.calibration import next_networks as card
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import agent, device
from tests.webapp.measuring.test_calibrations import measured
from webapp.measuring.calibrations import calibrate_device
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.next_networks import Candidate

__all__ = ["agent", "device"]
NAME = "lab/measured-test-box-1-thread"
PLACE = json.dumps({"name": "next", "type": CalibrationIds.NEXT_TYPE}, separators=(",", ":"))
BUTTON = json.dumps({"name": "next", "type": CalibrationIds.NEXT_ACTION_TYPE}, separators=(",", ":"))
OUTPUT = f'{{"name":["ALL"],"type":"{CalibrationIds.NEXT_TYPE}"}}.children'
FOUND = [
    Candidate("digits-chain", "Digits", None, ("softmax",)),
    Candidate("ecg-cnn-512", "Beats", 0.2, (), ("conv", 0.25, 0.8)),
    Candidate("squeezenet1-1", "SqueezeNet", None, half_width=0.07),
]


def test_it_says_why_and_queues_by_one_click(
    people: People, device: AgentDevice, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("squeezenet1-1", "mobilenet-v2"):
        measured(people, device, slug)
    calibrate_device(people.editor, device, 1)
    found: list[Sequence[Candidate]] = [FOUND, FOUND, []]
    monkeypatch.setattr(card, "next_networks", lambda *_: found.pop(0))
    document = {"kind": "calibration", "name": NAME, "version": 1}
    given: dict[str, Any] = {f"{CalibrationIds.DOCUMENT}.data": document, f"{PLACE}.id": json.loads(PLACE)}
    shown = ask(people.editor, OUTPUT, {**given, f"{BUTTON}.n_clicks": None}, f"{CalibrationIds.DOCUMENT}.data")
    text = str(shown.json())
    for words in ("no fitted network has softmax", "error 25", "did not settle", "Measure these 3 on Test box"):
        assert words in text
    pressed = ask(people.editor, OUTPUT, {**given, f"{BUTTON}.n_clicks": 1}, f"{BUTTON}.n_clicks")
    told = str(pressed.json())
    assert "3 measurements wait" in told and "No further network would improve the calibration" in told
    waiting = Measurement.objects.filter(state="waiting")
    assert {(each.network.slug, each.round) for each in waiting} == {
        ("digits-chain", 0), ("ecg-cnn-512", 0), ("squeezenet1-1", 1),
    }  # fmt: skip
