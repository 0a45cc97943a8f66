from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from hardware.sections import Section, not_negative, positive


class Board(Section):
    power_w: float = positive("Power", "W", "While it computes.", 10.0)
    sleep_w: float = not_negative("Sleep", "W", "Otherwise.", 1.0)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"power_w": "3"}, "power_w"),
        ({"power_w": 0.0}, "power_w"),
        ({"power_w": 11.0}, "power_w"),
        ({"power_w": float("nan")}, "power_w"),
        ({"sleep_w": -0.1}, "sleep_w"),
        ({"powre_w": 3.0}, "powre_w"),
    ],
)
def test_texts_other_keys_and_figures_out_of_bounds_are_refused(changed: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Board.model_validate({"power_w": 3.0, "sleep_w": 0.0, **changed})
    assert {error["loc"] for error in caught.value.errors()} == {(wrong,)}


def test_a_figure_names_its_unit_in_the_schema() -> None:
    assert Board.model_json_schema()["properties"]["power_w"]["unit"] == "W"
    assert Board.model_validate({"power_w": 10.0, "sleep_w": 0.0}).sleep_w == 0.0
