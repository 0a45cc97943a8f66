"""Documents that YAML is reported to read otherwise than people, judged by `expected.json`, which names the report of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.contract.encoding.document_text import read_yaml
from engines.contract.errors import ProblemError

FOLDER = Path(__file__).parent
EXPECTED = json.loads((FOLDER / "expected.json").read_text())


@pytest.mark.parametrize(
    ("name", "line", "key", "written"),
    [
        ("leading_zero.yaml", 5, "capacity_wh", "010"),
        ("clock_times.yaml", 10, "profiles.power_budget.times_s.1", "6:00"),
    ],
)
def test_a_value_that_is_read_as_another_one_is_refused(name: str, line: int, key: str, written: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_yaml((FOLDER / name).read_bytes(), name)
    assert (caught.value.line, caught.value.field, caught.value.got) == (line, key, written)


def test_the_way_on_gives_what_was_meant() -> None:
    name = "leading_zero.yaml"
    with pytest.raises(ProblemError) as caught:
        read_yaml((FOLDER / name).read_bytes(), name)
    way = caught.value.accepted.partition(",")[0]
    mended = (FOLDER / name).read_bytes().replace(b" 010", f" {way}".encode())
    assert read_yaml(mended, name).content["capacity_wh"] == EXPECTED[name]["right"]
