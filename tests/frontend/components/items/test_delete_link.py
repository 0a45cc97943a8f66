from __future__ import annotations

from frontend.components.items.delete_link import delete_link


def test_only_those_who_may_change_a_thing_are_led_to_where_it_is_deleted() -> None:
    (link,) = delete_link("study", 7, editable=True)
    assert link.href == "/deleted?kind=study&number=7" and link.title == "Delete this study"
    assert delete_link("study", 7, editable=False) == []
