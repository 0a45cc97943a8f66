"""Tests of the runner start interpreters, as a site does."""

from __future__ import annotations

import pytest

from engines.running.runner import spares
from engines.running.runner.process_starter import spawn


@pytest.fixture(autouse=True)
def _real_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "spawn", spawn)
