from engines.contract.engine import EngineParams
from engines.cost.device_fields import (
    clock_choices_field,
    clock_steps_field,
    clocks_field,
    fallback_field,
    power_mode_field,
    precision_field,
    unit_field,
)


class Fields(EngineParams):
    unit: str = unit_field("Units")
    precision: str = precision_field("Device")
    power_mode: str = power_mode_field(advanced=True)
    clock_choices: str = clock_choices_field("Device")
    fallback: bool = fallback_field()


def test_what_is_left_empty_leaves_the_choice_to_the_engine() -> None:
    assert Fields().model_dump() == {
        "unit": "", "precision": "fp32", "power_mode": "", "clock_choices": "", "fallback": True
    }  # fmt: skip


def test_forms_find_heading_and_words() -> None:
    fields = Fields.model_json_schema()["properties"]
    assert [fields[name]["group"] for name in fields] == ["Units", "Device", "Clocks", "Device", "Units"]
    assert [fields[name]["tier"] for name in ("unit", "power_mode", "clock_choices")] == ["usual", "expert", "expert"]
    assert all(fields[name]["title"] and fields[name]["description"] for name in fields)


class ClockParams(EngineParams):
    clocks: str = clocks_field("searched", "Searched with the cut", "configuration")
    clock_steps: int = clock_steps_field(3)


def test_clocks_stand_at_their_highest_or_are_searched_step_by_step() -> None:
    fields = ClockParams.model_json_schema()["properties"]
    assert (
        set(fields["clocks"]["choices"]) == {"fixed", "searched"}
        and "per configuration" in fields["clocks"]["description"]
    )
    assert (fields["clock_steps"]["minimum"], ClockParams().clock_steps, ClockParams().clocks) == (2, 3, "searched")
