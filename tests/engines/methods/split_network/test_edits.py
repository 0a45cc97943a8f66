from __future__ import annotations

from typing import Any

from engines.registry import get_engine
from engines.running.editing import edited
from tests.engines.methods.split_network.problems import branched, split_problem

STEM: dict[str, Any] = {"last_on_device": ["stem"], "bottleneck": False}


def after(decision: dict[str, Any], *moves: tuple[str, str], **params: Any) -> Any:
    return edited(get_engine("split-network"), split_problem(params, branched()), decision, moves)


def test_the_cut_moves_along_the_layers_from_nothing_to_all() -> None:
    line = after(STEM)["boards"][0]
    assert [place["name"] for place in line["places"]] == [str(at) for at in range(7)]
    assert line["pieces"][0]["place"] == "1" and line["places"][1]["title"] == "after layer 1, stem"
    assert after(STEM, ("cut", "3"))["decision"]["last_on_device"] == ["left.2"]
    assert after(STEM, ("cut", "4"))["decision"]["last_on_device"] == ["left.2", "right"]
    nothing = after(STEM, ("cut", "0"))
    assert nothing["decision"]["last_on_device"] == [] and nothing["columns"]["device_layers"] == 0.0
    assert after(STEM, ("cut", "6"))["columns"]["uploaded_bytes"] == 0.0


def test_a_cut_along_branches_says_so_and_becomes_straight() -> None:
    along = {"last_on_device": ["right"], "bottleneck": False}
    assert "along branches" in after(along)["boards"][0]["pieces"][0]["title"]
    assert "along branches" not in after(along, ("cut", "3"))["boards"][0]["pieces"][0]["title"]


def test_what_is_sent_may_pass_through_a_bottleneck_where_there_is_one() -> None:
    assert after(STEM, ("sent", "with"), compression=16.0)["decision"]["bottleneck"] is True
    assert len(after(STEM, compression=1.0)["boards"]) == 1
