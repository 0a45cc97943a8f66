"""Documents of older schema numbers."""

from __future__ import annotations

from typing import Any

import pytest

from hardware import upgrades
from hardware.errors import HardwareError
from hardware.package.loader import load_package
from tests.hardware.documents_for_tests import package_content


def test_the_present_schema_comes_back_as_a_copy() -> None:
    content = package_content()
    upgraded = upgrades.upgrade(content)
    assert upgraded == content
    assert upgraded is not content


def test_older_numbers_are_brought_up_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_zero(content: dict[str, Any]) -> dict[str, Any]:
        return {**content, "schema": "chiplet-package/0.5", "clock_hz": content["clock"]}

    def from_half(content: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in content.items() if key not in ("clock", "clock_hz")}
        return {**kept, "schema": "chiplet-package/1", "clock_mhz": content["clock_hz"] / 1e6}

    steps = {"chiplet-package/0": from_zero, "chiplet-package/0.5": from_half}
    monkeypatch.setattr(upgrades, "UPGRADES", steps)
    old = package_content(schema="chiplet-package/0", clock_mhz=None)
    old["clock"] = 800e6
    assert load_package(old).clock_hz == 800e6
    assert "clock_mhz" not in old


@pytest.mark.parametrize("schema", ["chiplet-package/2", "network/1", 1, ["chiplet-package/1"]])
def test_unknown_schemas_are_refused_with_those_known(schema: Any) -> None:
    with pytest.raises(HardwareError, match="chiplet-package/1"):
        upgrades.upgrade(package_content(schema=schema))
