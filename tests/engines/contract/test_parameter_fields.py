from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from engines.contract.parameter_fields import choice, choice_title, for_experts, for_paper, limit, number, text


class Params(BaseModel):
    goal: str = choice("edp", "Goal", "Search", {"edp": "Energy times delay"}, "What is sought.")
    latency_limit_s: float | None = limit("s", 10.0, "Latency", "At most so long.")
    area_limit_mm2: float | None = limit("mm2", 900.0, "Area", "At most so large.")
    steps: int = number(4, (1, 8), "", "Steps", "Search", "How many.")
    rule: str = text("", "Rule", "Search", "In words.", longest=5)


def facts(name: str) -> dict[str, Any]:
    found: dict[str, Any] = Params.model_json_schema()["properties"][name]
    return found


def test_a_choice_is_told_in_its_words_and_another_value_as_it_is() -> None:
    assert choice_title(Params(), "goal") == "Energy times delay"
    assert choice_title(Params(goal="other"), "goal") == "other"
    assert choice_title(Params(), "steps") == "4"


def test_a_limit_in_seconds_is_shown_in_another_unit_and_one_in_millimetres_is_not() -> None:
    assert (facts("latency_limit_s")["unit"], facts("latency_limit_s")["shown_unit"]) == ("s", "ms")
    assert "shown_unit" not in facts("area_limit_mm2")
    assert facts("area_limit_mm2")["group"] == "Limits" and Params().area_limit_mm2 is None
    assert facts("area_limit_mm2")["description"].endswith("Empty: no limit.")


@pytest.mark.parametrize(
    "given", [{"steps": 0}, {"steps": 9}, {"latency_limit_s": 0.0}, {"latency_limit_s": 10.1}, {"rule": "longer"}]
)
def test_what_is_out_of_bounds_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Params(**given)
    assert Params(steps=1, latency_limit_s=10.0, rule="short").steps == 1


class Bounded(BaseModel):
    share: float = number(0.5, (0, 1), "", "Share", "Search", "Above 0.", above=True)
    stages: int | None = number(None, (2, 6), "stages", "Stages", "Search", "Empty: all.")
    reuse_most_percent: float | None = limit("%", 100, "Reuse, at most")
    change_limit: int | None = limit("changes", 10, "Changes, at most", zero=True)
    power_limit_w: float | None = limit("W", 10, "Power, at most")


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"share": 1}, {"share": 0}),
        ({"stages": None}, {"stages": 1}),
        ({"reuse_most_percent": 0}, {"reuse_most_percent": 101}),
        ({"change_limit": 0}, {"change_limit": -1}),
        ({"power_limit_w": 10}, {"power_limit_w": 0}),
    ],
)
def test_bounds_hold_what_they_say_and_percentages_may_be_none(good: dict[str, Any], bad: dict[str, Any]) -> None:
    Bounded(**good)
    with pytest.raises(ValidationError):
        Bounded(**bad)


class Tiered(BaseModel):
    usual: int = number(1, (0, 9), "", "Usual", "Search", "Anybody.")
    expert: int = number(1, (0, 9), "", "Expert", "Search", "Some.", advanced=True)
    other: int = for_experts(number(1, (0, 9), "", "Other", "Search", "Some."))
    paper: int = for_paper(Field(1, title="Paper", json_schema_extra={"unit": "steps"}))


def test_a_field_says_who_sets_it_and_keeps_what_else_it_says() -> None:
    fields = Tiered.model_json_schema()["properties"]
    assert {name: field["tier"] for name, field in fields.items()} == {
        "usual": "usual", "expert": "expert", "other": "expert", "paper": "paper",
    }  # fmt: skip
    assert fields["paper"]["unit"] == "steps" and fields["other"]["group"] == "Search"
    with pytest.raises(TypeError, match="json_schema_extra"):
        for_paper(Field(1))
