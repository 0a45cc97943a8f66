"""The page on the costs of silicon says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hardware.silicon.family import SILICON_COST

PAGE = (Path(__file__).parents[2] / "docs" / "silicon-costs.md").read_text(encoding="utf-8")


def test_the_code_on_the_page_gives_what_it_says() -> None:
    names: dict[str, Any] = {}
    for line in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0].splitlines():
        expression, _, told = line.partition("  # ")
        if told:
            assert float(eval(expression, names)[0]) == pytest.approx(float(told), rel=1e-3)
        else:
            exec(line, names)


def test_every_key_of_the_schema_is_in_a_table() -> None:
    schema = SILICON_COST.json_schema()
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    header = {"schema", "slug", "title", "summary", "source", "sources", "processes"}
    names = [name for section in schema["$defs"].values() for name in section["properties"]]
    assert [name for name in {*names, *schema["properties"]} - header if name not in table] == []
