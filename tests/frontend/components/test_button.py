from __future__ import annotations

from frontend.components.button import link_button, segmented


def test_links_to_downloads_leave_the_explorer():
    assert link_button("CSV", "/api/v1/runs/1/designs.csv").__class__.__name__ == "A"
    assert link_button("New", "/new").__class__.__name__ == "Link"


def test_a_segmented_choice_says_what_is_chosen():
    pressed = [getattr(b, "aria-pressed") for b in segmented([("a", "A"), ("b", "B")], "b", "kind").children]
    assert pressed == ["false", "true"]
