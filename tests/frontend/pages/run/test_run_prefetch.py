from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from frontend.pages.run import run_prefetch, run_reader
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.teams.visibility import NotVisible


class AtOnce:
    """A thread that has done its work when it was started: in one of its own it would not see the test's transaction."""

    started = 0

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], **_named: Any) -> None:
        self._target, self._args = target, args

    def start(self) -> None:
        AtOnce.started += 1
        self._target(*self._args)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_prefetch, "Thread", AtOnce)
    monkeypatch.setattr(AtOnce, "started", 0)
    monkeypatch.setattr(run_reader, "_designs", run_reader.DesignCache())


def test_a_large_run_is_read_before_its_page_asks(people: People, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_prefetch, "MANY_DESIGNS", run.design_count)
    assert run_prefetch.found_run(people.viewer, run.pk).pk == run.pk
    assert AtOnce.started == 1
    monkeypatch.setattr(run_reader.readers, "load_columns", None)  # nothing is left to read
    assert len(run_reader.designs_of(run)) == run.design_count


def test_of_a_small_run_nothing_is_read(people: People, run: Run) -> None:
    assert run_prefetch.found_run(people.viewer, str(run.pk)).design_count < run_prefetch.MANY_DESIGNS
    assert AtOnce.started == 0


def test_who_may_not_see_a_run_has_nothing_read(people: People, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_prefetch, "MANY_DESIGNS", 0)
    with pytest.raises(NotVisible):
        run_prefetch.found_run(people.stranger, run.pk)
    assert AtOnce.started == 0


def test_what_goes_wrong_is_left_to_the_page(people: People, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_prefetch, "MANY_DESIGNS", 0)
    monkeypatch.setattr(run_reader.readers, "load_columns", None)
    assert run_prefetch.found_run(people.viewer, run.pk).pk == run.pk
