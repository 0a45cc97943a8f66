"""What is wrong with content."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.api.errors import refusal_of
from webapp.catalogue.service import store, store_version


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slug": "simba-3x3-nvdla"}, "slug"),
        ({"slug": "Not a slug"}, "slug"),
        ({"slug": None}, "slug"),
        ({"schema": "chiplet-package/99"}, "schema"),
        ({"schema": "network/1"}, "schema"),
        ({"schema": None}, "schema"),
        ({"surprise": 1}, "surprise"),
        ({"clock_mhz": -1}, "clock_mhz"),
    ],
)
def test_it_names_what_is_wrong(people: People, package: dict[str, Any], change: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", {**package, **change})
    assert caught.value.field == field and caught.value.accepted


def test_a_wrong_slug_hides_no_other_mistake(people: People, package: dict[str, Any]) -> None:
    wrong = {**package, "slug": "Not a slug", "clock_mhz": -1, "surprise": 1}
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", wrong)
    assert caught.value.field == "slug"
    assert {field for field, _, _ in caught.value.others} == {"clock_mhz", "surprise"}


def test_everything_wrong_in_a_text_is_told_with_its_line(people: People, package: dict[str, Any]) -> None:
    wrong = to_yaml({**package, "slug": "Not a slug", "clock_mhz": -1, "surprise": 1})
    lines = {line.partition(":")[0]: number for number, line in enumerate(wrong.splitlines(), start=1)}
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", wrong)
    error = caught.value
    assert error.line == lines["slug"]
    others = refusal_of(error)["others"]
    assert {each["field"]: each["line"] for each in others} == {name: lines[name] for name in ("clock_mhz", "surprise")}
    assert f"Also: line {lines['clock_mhz']}, clock_mhz must be" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_it_names_the_line_of_a_text(people: People, package: dict[str, Any]) -> None:
    text = to_yaml({**package, "clock_mhz": "fast"})
    with pytest.raises(ProblemError, match="clock_mhz") as caught:
        store(people.owner, people.project, "hardware", text)
    assert caught.value.line is not None and text.splitlines()[caught.value.line - 1] == "clock_mhz: fast"
