from __future__ import annotations

from typing import Any

from engines.registry import get_engine
from engines.running.editing import edited
from tests.engines.chiplets.problem.test_neighbours import MINE
from tests.engines.methods.scar.problems import scar_problem

PROBLEM = scar_problem()


def after(*moves: tuple[str, str]) -> Any:
    return edited(get_engine("scar"), PROBLEM, MINE, moves)


def paths(found: Any) -> list[list[int]]:
    return [placed["path"] for placed in found["decision"]["windows"][0]["models"]]


def test_the_package_is_a_grid_with_its_segments_and_a_cut_model_has_a_line() -> None:
    chiplets, cuts = after()["boards"]
    assert (chiplets["form"], chiplets["part"]) == ("grid", "Window 1")
    assert [(each["column"], each["row"], each["kind"]) for each in chiplets["places"]] == [
        (0, 0, "nvdla"), (1, 0, "shi-diannao"), (0, 1, "nvdla"), (1, 1, "shi-diannao"),
    ]  # fmt: skip
    assert [(each["short"], each["place"], each["family"]) for each in chiplets["pieces"]] == [
        ("A 1", "0", 0), ("A 2–3", "1", 0), ("B 1–3", "3", 1),
    ]  # fmt: skip
    assert [each["name"] for each in cuts["places"]] == ["1", "2"] and cuts["pieces"][0]["place"] == "1"


def test_a_segment_goes_to_an_idle_chiplet_and_changes_places_with_what_is_there() -> None:
    assert paths(after(("segment.0.1.0", "2"))) == [[0, 1], [2]]
    assert paths(after(("segment.0.0.0", "1"))) == [[1, 0], [3]]
    assert paths(after(("segment.0.0.0", "3"))) == [[3, 1], [0]]


def test_chiplets_without_a_link_are_refused_with_the_reason() -> None:
    found = after(("segment.0.0.0", "2"))
    assert found["taken"] == 0
    assert "linked chiplets one after the other (Chiplets 2 and 1 have no link)" in found["why_not"]


def test_a_cut_moves_along_the_layers() -> None:
    found = after(("cut.0.0.0", "2"))
    assert found["decision"]["windows"][0]["models"][0]["cuts"] == [2, 3]
    assert found["columns"]["latency_s"] != after()["columns"]["latency_s"]
