"""The code on the page about environments gives what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_the_code_on_the_page_gives_what_it_says() -> None:
    code = next(each for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "simulate(" in each)
    names: dict[str, Any] = {}
    told = 0
    for line in code.splitlines():
        expression, _, words = line.partition("  # ")
        if re.fullmatch(r"[\d.]+", words):
            assert eval(expression, names) == pytest.approx(float(words), rel=1e-3)
            told += 1
        else:
            exec(line, names)
    assert told == 2
