"""The page on environments says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from hardware.environment.family import ENVIRONMENT
from hardware.environment.loader import builtin_environments, load_environment

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_the_example_on_the_page_loads() -> None:
    environment = load_environment(
        yaml.safe_load(re.findall(r"```yaml\n(schema: environment.*?)```", PAGE, re.DOTALL)[0])
    )
    assert environment.profiles["power_budget"].at(43_200) == 0.25
    assert environment.profiles["air"].at(21_600) == 15


def test_every_key_of_the_schema_is_in_a_table() -> None:
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    schema = ENVIRONMENT.json_schema()
    names = [name for section in schema["$defs"].values() for name in section["properties"]] + list(
        schema["properties"]
    )
    assert [name for name in names if name not in table and name != "sources"] == []


def test_everything_built_in_is_on_the_page() -> None:
    assert set(builtin_environments()) <= set(re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE, re.MULTILINE))
