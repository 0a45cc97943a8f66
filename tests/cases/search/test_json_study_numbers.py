"""A study document in JSON: 1e-05 is a number there, and 1e3 a whole one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webapp.studies.document import read_grid
from webapp.studies.management.commands.study import _document

STUDY = {"engine": "soc-mapping", "inputs": {"hardware": "jetson-tx2", "workload": "vgg16"}}


def test_a_small_time_limit_is_a_number(tmp_path: Path) -> None:
    file = tmp_path / "study.json"
    file.write_text(json.dumps({**STUDY, "stop_after_minutes": 0.00005}))
    assert "5e-05" in file.read_text()
    assert read_grid(_document(file)).stop_after_minutes == 0.00005


@pytest.mark.parametrize("number", ["5E-5", "0.5e-4", "50e-6"])
def test_every_form_of_json_is_a_number(tmp_path: Path, number: str) -> None:
    file = tmp_path / "study.json"
    text = json.dumps({**STUDY, "seeds": "SEEDS", "stop_after_minutes": "MINUTES"})
    file.write_text(text.replace('"SEEDS"', "[0, 1e3]").replace('"MINUTES"', number))
    grid = read_grid(_document(file))
    assert grid.stop_after_minutes == pytest.approx(0.00005)
    assert grid.document("")["seeds"] == [0, 1000]
