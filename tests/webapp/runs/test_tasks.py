from __future__ import annotations

from types import SimpleNamespace

import pytest

from webapp.runs import tasks


def test_the_message_makes_the_worker_of_this_process_look(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(tasks, "current_worker", lambda: SimpleNamespace(look=lambda: looked.append("once")))
    tasks.look()
    assert looked == ["once"]
