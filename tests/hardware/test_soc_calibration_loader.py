"""Documents of calibrations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hardware.errors import HardwareError
from hardware.soc_calibration_loader import builtin_calibrations, calibration_content, load_calibration
from hardware.soc_calibration_schema import calibration_json_schema


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
    with pytest.raises(HardwareError, match="once"):
        load_calibration(content(parameters=[*content()["parameters"], content()["parameters"][0]]))


@pytest.mark.parametrize("change", [{"soc": ""}, {"precision": "fp8"}, {"rows": [{}]}, {"covered": []}, {"extra": 1}])
def test_what_does_not_fit_the_schema_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(HardwareError):
        load_calibration(content(**change))


def test_the_schema_is_published() -> None:
    assert calibration_json_schema()["$id"] == "soc-calibration/1"
