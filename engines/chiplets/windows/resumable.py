"""Searches of a time window that may take minutes: they pause, and resume from the state stored at the pause."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

import numpy as np

from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.options import WindowOptions
from engines.chiplets.windows.reconfig import LayerRange

WindowArguments = tuple[ScenarioTables, Sequence[LayerRange], Sequence[int], tuple[int, ...], Goal]
WindowSearch = Callable[[ScenarioTables, Sequence[LayerRange], Sequence[int], tuple[int, ...], Goal], WindowOptions]

# Pauses now and then.
PausingSearch = Callable[[WindowArguments], Generator[None, None, WindowOptions]]
# What a search needs to go on from a pause: JSON values and bytes, small enough for a checkpoint; empty at its begin.
SearchState = dict[str, Any]
# Goes on from such a state, and pauses with the next one; the same mappings come in the end, wherever it went on from.
ResumableSearch = Callable[[WindowArguments, SearchState], Generator[SearchState, None, WindowOptions]]

Found = TypeVar("Found")


def finished(work: Generator[Any, None, Found]) -> Found:
    """Return the result of `work`, without its pauses."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Found = end.value
            return found


def whole(search: ResumableSearch) -> WindowSearch:
    """Run `search` from start to end and return its result."""
    return lambda *problem: finished(search(problem, {}))


def at_once(search: WindowSearch) -> ResumableSearch:
    """Return `search`, which takes less than a minute, without pauses."""

    def found(problem: WindowArguments, state: SearchState) -> Generator[SearchState, None, WindowOptions]:
        yield from ()
        return search(*problem)

    return found


def paused_never(search: WindowSearch) -> PausingSearch:
    """Return `search` for those who wait for pauses, without any."""

    def found(problem: WindowArguments) -> Generator[None, None, WindowOptions]:
        yield from ()
        return search(*problem)

    return found


def random_state_text(random: np.random.Generator) -> str:
    """Return the state of `random`; as text, because its integers have up to 128 bits."""
    return json.dumps(random.bit_generator.state, default=lambda array: array.tolist())


def restore_random_state(random: np.random.Generator, text: str) -> None:
    """Restore the state of `random` from the text that `random_state_text` returned."""
    random.bit_generator.state = json.loads(text)
