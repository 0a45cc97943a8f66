from __future__ import annotations

from typing import Any

from engines.registry import get_engine
from engines.running.editing import edited
from tests.engines.methods.mapformer.problem.test_decision import GOOD
from tests.engines.methods.mapformer.problems import mix_problem


def after(*moves: tuple[str, str]) -> Any:
    return edited(get_engine("mapformer"), mix_problem({"segments": 2}), GOOD, moves)


def test_segments_cuts_and_clocks_are_on_boards() -> None:
    titles = [(board["form"], board["title"]) for board in after()["boards"]]
    assert [form for form, _ in titles[:3]] == ["lanes", "line", "lanes"]
    assert sum(title.startswith("Clock of") for _, title in titles) >= 3


def test_a_segment_goes_to_another_unit_and_a_cut_along_the_layers() -> None:
    assert after(("segment.0.1", "cpu"))["decision"]["networks"][0] == [[2, "gpu"], [4, "cpu"]]
    assert after(("cut.0.0", "3"))["decision"]["networks"][0][0] == [3, "gpu"]


def test_a_unit_that_is_off_takes_nothing_until_it_has_a_clock() -> None:
    clocks = after()["boards"]
    off = next(b["pieces"][0] for b in clocks if b["title"].startswith("Clock") and b["pieces"][0]["place"] == "off")
    unit = off["name"].partition(".")[2]
    refused = after(("segment.0.0", unit))
    assert refused["taken"] == 0 and "a unit that is on" in refused["why_not"]
