from __future__ import annotations

import pytest

from frontend.components.items.changes_link import changes_link
from webapp.items.registry import items


@pytest.mark.parametrize("kind", items("logged"))
def test_it_asks_the_log_for_one_thing_of_a_kind_that_the_log_knows(kind: str) -> None:
    link = changes_link(kind, 7)
    assert link.href == f"/changes?kind={kind}&number=7" and kind in link.title
