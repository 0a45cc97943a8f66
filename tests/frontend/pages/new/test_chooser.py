"""Engines by the question that they answer."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.questions import CONTROL, QUESTIONS, SPLIT
from engines.registry import get_engine, installed_engines
from frontend.folders import ASSETS
from frontend.pages.new.chooser import choice, chooser, words_of

ENGINES = installed_engines()


def buttons(component: Any, class_name: str) -> list[Any]:
    found = [component] if class_name in str(getattr(component, "className", "")).split() else []
    children = getattr(component, "children", None)
    for child in children if isinstance(children, list) else [children]:
        found += buttons(child, class_name) if hasattr(child, "to_plotly_json") else []
    return found


def test_every_engine_stands_once_in_the_group_of_its_question() -> None:
    groups = buttons(chooser(ENGINES[0], ENGINES, []), "chooser-group")
    shown = {group.to_plotly_json()["props"]["aria-label"]: buttons(group, "chooser-engine") for group in groups}
    names = [each.id["name"] for members in shown.values() for each in members]
    assert sorted(names) == sorted(each.name for each in ENGINES)
    for name, question in (("duet", SPLIT), ("sbrs", CONTROL)):
        assert name in [each.id["name"] for each in shown[question.title]]


def test_the_chosen_engine_is_told_and_the_list_folded() -> None:
    shown = chooser(get_engine("duet"), ENGINES, [])
    assert shown.open is False and chooser(get_engine("duet"), ENGINES, [], unfolded=True).open
    assert [each.id["name"] for each in buttons(shown, "on")] == ["duet"]
    assert shown.key != chooser(get_engine("scar"), ENGINES, []).key


def test_before_one_is_chosen_every_engine_is_a_link_to_its_form() -> None:
    items = buttons(choice(ENGINES, ["scar"]), "chooser-item")
    assert [each.children.href for each in items][:1] == ["/new?engine=scar"]
    assert {each.children.href for each in items} == {f"/new?engine={each.name}" for each in ENGINES}
    found = {each.children.href: each.to_plotly_json()["props"].get("data-words", "") for each in items[1:]}
    assert "romanus" in found["/new?engine=split-computing"]


def test_engines_used_last_come_first_as_far_as_they_are_there() -> None:
    used = buttons(chooser(ENGINES[0], ENGINES, ["hadas", "gone", "scar"]), "chooser-used")
    assert [each.id["name"] for each in used] == ["hadas", "scar"]
    assert not buttons(chooser(ENGINES[0], ENGINES, []), "chooser-recent")


@pytest.mark.parametrize(
    ("name", "words"),
    [("split-computing", "romanus"), ("seesaw", "goyal"), ("scar", "chiplets"), ("hadas", "early exits")],
)
def test_an_engine_is_found_by_method_author_and_tag(name: str, words: str) -> None:
    assert words in words_of(get_engine(name))


def test_every_question_has_a_picture_of_its_own() -> None:
    drawn = {question.name: (ASSETS / "questions" / f"{question.name}.svg").read_text() for question in QUESTIONS}
    assert len(set(drawn.values())) == len(QUESTIONS)
