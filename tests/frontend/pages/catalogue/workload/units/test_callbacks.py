from __future__ import annotations

import json

from frontend.ids.units import UnitIds
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_another_device_brings_its_calibrations_and_clocks(people: People, ask: Ask) -> None:
    values = {
        f"{UnitIds.SOC}.value": "jetson-tx2", f"{UnitIds.CALIBRATION}.value": "xavier-magnas", f"{UnitIds.SHOW}.value": "energy",
        f"{UnitIds.FALLBACK}.value": "fallback", f"{UnitIds.OPERATION}.value": "3", "layers-model.value": None,
        'shell-scheme.data': "light", "scheme.data": "light", "viewport.data": {"width": 1280, "height": 900},
        "document-name.data": {"kind": "workload", "name": "attentivenas-a0", "version": 1},
    }  # fmt: skip
    answer = ask(people.owner, UnitIds.LEGEND, values, f"{UnitIds.SOC}.value")
    assert answer.status_code == 200, answer.content[:500]
    found = answer.json()["response"]
    assert found[UnitIds.CALIBRATION]["value"] == "tx2-hadas" and found[UnitIds.OPERATION]["value"] == "3"
    assert "Clock of gpu" in json.dumps(found[UnitIds.CLOCKS])
