from __future__ import annotations

import pytest

from frontend.live import direct


def test_the_longest_known_beginning_of_an_address_answers_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "_answers", {})
    direct.answer_directly("/live/", lambda rest, query: f"{rest} {query['a']}")
    assert direct.is_direct("live/7/state") and not direct.is_direct("lively/7") and not direct.is_direct("live")
    assert direct.direct_answer("live/7/state", {"a": "1"}) == "7/state 1"
