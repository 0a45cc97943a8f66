"""Families of documents: older schema numbers, and the published schema."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.data.documents import IMAGE_DATA
from hardware.errors import HardwareError
from hardware.family import Content
from hardware.package.family import PACKAGE
from tests.hardware.documents_for_tests import package_content


def from_zero(content: Content) -> Content:
    return {**content, "schema": "chiplet-package/0.5", "clock_hz": content["clock"]}


def from_half(content: Content) -> Content:
    kept = {key: value for key, value in content.items() if key not in ("clock", "clock_hz")}
    return {**kept, "schema": "chiplet-package/1", "clock_mhz": content["clock_hz"] / 1e6}


def test_the_present_schema_comes_back_as_it_is() -> None:
    content = package_content()
    assert PACKAGE.upgraded(content) is content


def test_older_numbers_are_brought_up_one_by_one() -> None:
    family = replace(PACKAGE, upgrades={"chiplet-package/0": from_zero, "chiplet-package/0.5": from_half})
    old = {**package_content(schema="chiplet-package/0", clock_mhz=None), "clock": 800e6}
    assert family.load(family.upgraded(old)).clock_hz == 800e6
    assert "clock_mhz" not in old


@pytest.mark.parametrize("schema", ["chiplet-package/2", "network/1", 1, ["chiplet-package/1"]])
def test_unknown_schemas_are_refused_with_those_known(schema: Any) -> None:
    with pytest.raises(HardwareError, match="chiplet-package/1"):
        PACKAGE.load(PACKAGE.upgraded(package_content(schema=schema)))


def test_what_only_engines_make_has_no_published_schema() -> None:
    with pytest.raises(TypeError, match="image-data"):
        IMAGE_DATA.json_schema()
