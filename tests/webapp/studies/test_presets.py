"""Every study that ships is accepted as it is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.support.stored_runs import make_people
from webapp.studies.cell_checks import check
from webapp.studies.document import read_grid
from webapp.studies.presets import StudyPreset, find_preset, presets
from webapp.studies.tables import choose


def _varies_parameters(preset: StudyPreset) -> bool:
    """Then every cell is planned by itself, in a child process: seconds of planning together."""
    return any(isinstance(value, Mapping) for value in preset.document.get("params", {}).values())


@pytest.mark.parametrize(
    "preset",
    [pytest.param(each, marks=pytest.mark.long) if _varies_parameters(each) else each for each in presets()],
    ids=lambda preset: preset.slug,
)
def test_it_is_a_study_without_a_mistake(db: None, preset: StudyPreset) -> None:
    assert check(make_people().owner, preset.document).estimate.cells > 1


def test_the_scenarios_of_the_chapter_run_on_every_small_layout() -> None:
    found = [find_preset(slug) for slug in ("table-4.2-datacentre", "table-4.2-arvr")]
    assert all(preset and preset.engine == "scar" for preset in found)
    workloads = [slug for preset in found if preset for slug in preset.document["inputs"]["workload"]]
    assert len(set(workloads)) == 10


def test_an_unknown_name_is_none() -> None:
    assert find_preset("nothing") is None


def test_its_table_has_a_row_per_workload(db: None) -> None:
    preset = find_preset("table-4.2-datacentre")
    assert preset is not None
    slots = ("hardware", "workload")
    document = {**preset.document, "inputs": {slot: preset.document["inputs"][slot] for slot in slots}}
    choice = choose(read_grid(document), None, None, None)
    assert (choice.rows, choice.columns) == ("inputs.workload", "inputs.hardware")
