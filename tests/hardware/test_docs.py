"""The page on hardware says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.loader import builtin_hardware, load_package, parse_package
from hardware.schema import package_json_schema

PAGE = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")


def test_the_example_on_the_page_loads() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert load_package(parse_package(example).content).columns == 3


def test_every_key_of_the_schema_is_in_the_table() -> None:
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    schema = package_json_schema()
    names = [name for section in schema["$defs"].values() for name in section["properties"]]
    names += [name for name, field in schema["properties"].items() if "$ref" not in field]
    missing = [name for name in names if name not in table and name not in ("chiplets", "sources")]
    assert missing == []


def test_every_template_is_on_the_page_with_its_layout() -> None:
    rows = dict(re.findall(r"\| `(simba[a-z0-9-]+)` \| ([NS ]+) \|", PAGE))
    assert set(rows) == {slug for slug in builtin_hardware() if not slug.endswith("-256")}
    for slug, layout in rows.items():
        letters = [chiplet.dataflow[0].upper() for chiplet in load_package(builtin_hardware()[slug]).chiplets]
        assert letters == list(layout.replace(" ", ""))
