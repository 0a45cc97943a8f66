"""Documents of calibrations."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given

from hardware.calibration.family import CALIBRATION
from hardware.calibration.loader import builtin_calibrations, calibration_content, load_calibration
from hardware.errors import HardwareError
from tests.support.mutations import mutated


def content(**changes: Any) -> dict[str, Any]:
    return {**builtin_calibrations()["tx2-hadas"], **changes}


@pytest.mark.parametrize("slug", sorted(builtin_calibrations()))
def test_every_calibration_loads_and_writes_the_same_document(slug: str) -> None:
    document = builtin_calibrations()[slug]
    found = load_calibration(document)
    assert found.slug == slug
    assert json.loads(json.dumps(calibration_content(found, document["summary"]))) == document


def test_every_assumed_parameter_says_why() -> None:
    for document in builtin_calibrations().values():
        for parameter in load_calibration(document).parameters.values():
            assert parameter.role == "fitted" or parameter.note, parameter.name


def test_a_missing_parameter_is_named() -> None:
    parameters = [row for row in content()["parameters"] if row["name"] != "gpu.launch_us"]
    with pytest.raises(HardwareError, match=r"parameters\.gpu\.launch_us"):
        load_calibration(content(parameters=parameters))


def test_a_parameter_that_stands_twice_is_refused() -> None:
    with pytest.raises(HardwareError, match="distinct names"):
        load_calibration(content(parameters=[*content()["parameters"], content()["parameters"][0]]))


@pytest.mark.parametrize("change", [{"soc": ""}, {"precision": "fp8"}, {"rows": [{}]}, {"covered": []}, {"extra": 1}])
def test_what_does_not_fit_the_schema_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(HardwareError):
        load_calibration(content(**change))


@pytest.mark.parametrize(("name", "value"), [("gpu.dense_share", 1.5), ("gpu.memory_share", 0), ("leakage_share", 2)])
def test_shares_are_shares(name: str, value: float) -> None:
    parameters = [{**row, "value": value} if row["name"] == name else row for row in content()["parameters"]]
    with pytest.raises(HardwareError, match=f"at most 1 .{name}"):
        load_calibration(content(parameters=parameters))


def test_what_is_covered_needs_its_share() -> None:
    parameters = [row for row in content()["parameters"] if row["name"] != "gpu.depthwise_share"]
    with pytest.raises(HardwareError, match=r"parameters\.gpu\.depthwise_share"):
        load_calibration(content(parameters=parameters))


def test_errors_that_are_not_those_of_the_rows_are_refused() -> None:
    assert content()["errors"]["fitted"]["worst_row"] == "a6 on gpu, energy"
    better = {**content()["errors"], "fitted": {**content()["errors"]["fitted"], "median": 0.001}}
    with pytest.raises(HardwareError, match=r"errors\.fitted"):
        load_calibration(content(errors=better))


@given(mutated(builtin_calibrations()["tx2-hadas"]))
def test_a_document_loads_or_is_refused_but_never_crashes(changed: dict[str, Any]) -> None:
    with contextlib.suppress(HardwareError):
        load_calibration(changed)


def test_the_schema_is_published() -> None:
    assert CALIBRATION.json_schema()["$id"] == "soc-calibration/1"
