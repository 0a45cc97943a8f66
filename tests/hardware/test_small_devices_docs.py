"""The page on sensor nodes, radios and batteries says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardware.battery.family import BATTERY
from hardware.battery.loader import builtin_batteries, load_battery
from hardware.radio.family import RADIO
from hardware.radio.loader import builtin_radios, load_radio
from hardware.sensor_node.family import SENSOR_NODE
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node

PAGE = (Path(__file__).parents[2] / "docs" / "small-devices.md").read_text(encoding="utf-8")


def test_the_examples_on_the_page_load() -> None:
    node, radio, battery = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    assert load_sensor_node(node).rated_sensor.rates_hz == (1, 2, 4)
    assert load_radio(radio).power_w(1e6) == pytest.approx(0.41)
    assert load_battery(battery).usable_j == pytest.approx(0.9 * 7200)


def test_the_code_on_the_page_gives_what_it_says() -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    names: dict[str, Any] = {}
    for line in code.splitlines():
        expression, _, words = line.partition("  # ")
        told = [float(word) for word in re.findall(r"\d+\.?\d*", words.partition(" h,")[0])]
        if told:
            result = eval(expression, names)
            assert told == pytest.approx(list(result) if hasattr(result, "__len__") else [result], rel=1e-3)
        else:
            exec(line, names)


@pytest.mark.parametrize(
    "schema",
    [SENSOR_NODE.json_schema(), RADIO.json_schema(), BATTERY.json_schema()],
    ids=lambda schema: str(schema["$id"]),
)
def test_every_key_of_the_schema_is_in_a_table(schema: dict[str, Any]) -> None:
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    names = [name for section in schema.get("$defs", {}).values() for name in section["properties"]]
    names += list(schema["properties"])
    assert [name for name in names if name not in table and name != "sources"] == []


def test_everything_built_in_is_on_the_page() -> None:
    rows = set(re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE, re.MULTILINE))
    assert {*builtin_sensor_nodes(), *builtin_radios(), *builtin_batteries()} <= rows


@pytest.mark.parametrize("slug", builtin_radios())
def test_the_power_of_a_radio_is_on_the_page(slug: str) -> None:
    words = re.findall(rf"^\| `{slug}` \| ([^|]*) \|", PAGE, re.MULTILINE)[0]
    power = builtin_radios()[slug]["transfer_power"]
    for figure in (power["base_mw"], power["uplink_mw_per_mbps"]):
        assert not figure or f"{figure:.6g}" in words
