from __future__ import annotations

import json

from engines.running.inspection import explain
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def test_a_mapping_comes_with_the_files_of_its_device() -> None:
    problem = mapping_problem(None, tiny_network())
    decision = {"units": ["gpu", "dla", "dla", "dla", "dla", "gpu"], "clocks_mhz": {"gpu": 520}}
    results = explain(problem, decision)
    files = {note.name: note.text for note in results if note.role == "document"}
    layers = json.loads(files["tensorrt-devices.json"])["layers"]
    assert {(layer["block"], layer["device"]) for layer in layers} == {
        (f"block{number}", unit.upper()) for number, unit in enumerate(decision["units"])
    }
    assert len(layers) == 12 and "block0.conv:GPU,block0.add:GPU,block1.conv:DLA" in files["trtexec-options.txt"]
    assert "GPU MAX_FREQ 522750000" in files["nvpmodel.conf"]
