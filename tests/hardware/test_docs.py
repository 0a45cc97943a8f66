"""The page on hardware says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hardware.document_reader import read_text
from hardware.package.family import PACKAGE
from hardware.package.loader import builtin_hardware, load_package, parse_package
from hardware.soc.family import SOC
from hardware.soc.loader import DEVICES, builtin_socs, load_soc

PAGE = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")


def test_the_examples_on_the_page_load() -> None:
    package, board = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert load_package(parse_package(package).content).columns == 3
    assert load_soc(read_text(board, "board").content).steps_hz("gpu", "low") == (114.75e6, 522.75e6)


@pytest.mark.parametrize("schema", [PACKAGE.json_schema(), SOC.json_schema()], ids=lambda schema: str(schema["$id"]))
def test_every_key_of_the_schema_is_in_the_table(schema: dict[str, Any]) -> None:
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
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


def test_every_device_is_on_the_page_with_what_is_known_of_it() -> None:
    rows = dict(re.findall(r"\| `([a-z0-9-]+)` \| ([^|]*) \| [^|]* \|", PAGE.partition("### Devices")[2]))
    assert set(rows) == {path.stem for path in DEVICES.glob("*.yaml")}
    for slug, words in rows.items():
        board = load_soc(builtin_socs()[slug])
        told = [f"{name} {len(unit.frequencies_hz) or 'no'}" for name, unit in board.units.items()]
        told += [f"memory {len(board.memory.frequencies_hz)}"] if board.memory else []
        assert words.split(", ") == (told or ["none"])
