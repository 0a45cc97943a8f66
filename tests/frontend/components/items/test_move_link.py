"""The way to another project."""

from __future__ import annotations

from frontend.components.items.move_link import move_link


def test_it_names_the_thing_and_leads_to_the_question() -> None:
    link = move_link("study", 7)
    assert link.href == "/move?kind=study&number=7"
    assert link.title == "Move or copy this study to another project"
