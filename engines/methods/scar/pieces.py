"""The finished searches of a run, piece by piece: windows, and searches over all windows together.

The order of pieces follows from the problem alone. A resumed run walks through them again and takes what its checkpoint
holds in place of searching, so that it goes on where it was, with the same designs. Of a search that was not at its end
yet, a checkpoint holds the state to go on from. The clock decides when to make one, and nothing else.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import msgpack
import numpy as np

from engines.chiplets.joint.journal import Journal
from engines.chiplets.joint.search import JointResult
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.windows.options import DeadEndError, WindowOptions, WindowProof
from engines.chiplets.windows.resumable import (
    PausingSearch,
    ResumableSearch,
    SearchState,
    WindowArguments,
    random_state_text,
    restore_random_state,
)
from engines.chiplets.windows.stored_options import (
    option_from_json,
    option_to_json,
    window_from_json,
    window_to_json,
)

_LAYOUT = 2  # of the pieces in a checkpoint
_MOST_BYTES = 850_000  # of all pieces in a checkpoint, which may have 1 MB
_MOST_PAUSED_BYTES = 600_000  # of a search that is not at its end: beyond, what an earlier pause kept stays
_SECONDS_BETWEEN_CHECKPOINTS = 10.0  # much longer than making one takes, much shorter than a minute

Entry = dict[str, Any]


class Pieces:
    """The pieces of one run.

    Args:
        state: `state()` of an earlier attempt; empty for none. One with another layout counts as none.

    Attributes:
        joint_steps: number of steps of searches over all time windows.
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        self._next = self.joint_steps = 0
        self._saved_at_s, self._anew = time.monotonic(), False
        self._kept: dict[int, bytes] = {}
        if state and state.get("piece_layout") == _LAYOUT:
            begin = 0
            for number, length in zip(state["piece_numbers"], state["piece_lengths"], strict=True):
                self._kept[int(number)] = state["pieces"][begin : begin + int(length)].tobytes()
                begin += int(length)

    def state(self) -> dict[str, Any]:
        """Return the pieces for a checkpoint. If they exceed its size, the oldest are left out and searched again."""
        numbers, size = [], 0
        for number in sorted(self._kept, reverse=True):
            size += len(self._kept[number])
            if size > _MOST_BYTES:
                break
            numbers.append(number)
        numbers.reverse()
        return {
            "piece_layout": _LAYOUT,
            "pieces": np.frombuffer(b"".join(self._kept[number] for number in numbers), np.uint8),
            "piece_numbers": np.array(numbers, np.int64),
            "piece_lengths": np.array([len(self._kept[number]) for number in numbers], np.int64),
        }

    @property
    def due(self) -> bool:
        """Whether something was searched since the last checkpoint, and that was long enough ago for another one."""
        return self._anew and time.monotonic() - self._saved_at_s >= _SECONDS_BETWEEN_CHECKPOINTS

    def saved(self) -> None:
        """Note that a checkpoint was made."""
        self._saved_at_s, self._anew = time.monotonic(), False

    @property
    def position(self) -> int:
        """Number of the next piece."""
        return self._next

    def keep_best(self, first: int, end: int) -> None:
        """Keep only the best mappings of the time windows among pieces `first`..`end`-1, which suffices from now on."""
        for number in range(first, end):
            if number in self._kept:
                entry = _unpacked(self._kept[number])
                if entry.get("options"):
                    self._kept[number] = _packed({**entry, "options": []})

    def of_windows(
        self, search: ResumableSearch, random: np.random.Generator | None = None, *, best_only: bool = False
    ) -> PausingSearch:
        """Return `search`, whose results are kept, and which pauses where a checkpoint is due.

        Args:
            search: method of the search of a window.
            random: the stream that it draws from, if any; it is kept as it was after each window.
            best_only: nothing but the best mapping is needed later.
        """

        def searched(problem: WindowArguments, state: SearchState) -> Generator[SearchState, None, Entry]:
            try:
                found = yield from search(problem, state)
                entry = _of_options(replace(found, options=()) if best_only else found)
            except DeadEndError as error:
                entry = {"dead_end": [error.models, error.starts]}
            return entry if random is None else entry | {"random": random_state_text(random)}

        def kept(problem: WindowArguments) -> Generator[None, None, WindowOptions]:
            entry = yield from self._piece(partial(searched, problem))
            if random is not None:
                restore_random_state(random, entry["random"])
            if "dead_end" in entry:
                raise DeadEndError(*entry["dead_end"])
            return _to_options(entry)

        return kept

    def joint(
        self, search: Callable[[Journal], Generator[None, None, JointResult]]
    ) -> Generator[None, None, JointResult]:
        """Yield the result of a search over all windows together, with a pause where a checkpoint is due."""

        def searched(state: SearchState) -> Generator[SearchState, None, Entry]:
            journal = Journal(state.get("journal", ()))
            work, before = search(journal), self.joint_steps
            while True:
                try:
                    next(work)
                except StopIteration as end:
                    return _of_joint(end.value)
                self.joint_steps = before + len(journal.entries)
                yield {"journal": journal.entries}

        entry = yield from self._piece(searched)
        yield
        return _to_joint(entry)

    def _piece(
        self, search: Callable[[SearchState], Generator[SearchState, None, Entry]]
    ) -> Generator[None, None, Entry]:
        """Yield what is kept of the next piece, else what `search` gives from its last pause, or its begin, on."""
        number = self._next
        self._next += 1
        entry = _unpacked(self._kept[number]) if number in self._kept else {"paused": {}}
        if "paused" not in entry:
            return entry
        work = search(entry["paused"])
        while True:
            self._anew = True
            try:
                paused = next(work)
            except StopIteration as end:
                found: Entry = end.value
                self._kept[number] = _packed(found)
                return found
            if self.due:
                packed = _packed({"paused": paused})
                if len(packed) <= _MOST_PAUSED_BYTES:
                    self._kept[number] = packed
                yield


def _packed(entry: dict[str, Any]) -> bytes:
    return zlib.compress(msgpack.packb(entry))


def _unpacked(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgpack.unpackb(zlib.decompress(data))
    return found


def _of_options(found: WindowOptions) -> dict[str, Any]:
    proof = found.proof
    return {
        "best": option_to_json(found.best),
        "options": [option_to_json(option) for option in found.options],
        "nodes": [int(count) for count in found.nodes],
        "notes": list(found.notes),
        "proof": None if proof is None else [float(proof.lower_bound), bool(proof.proven), int(proof.states)],
    }


def _to_options(entry: Mapping[str, Any]) -> WindowOptions:
    return WindowOptions(
        option_from_json(entry["best"]),
        tuple(option_from_json(option) for option in entry["options"]),
        tuple(entry["nodes"]),
        tuple(entry["notes"]),
        None if entry["proof"] is None else WindowProof(*entry["proof"]),
    )


def _of_joint(found: JointResult) -> Entry:
    windows = None if found.schedule is None else [window_to_json(window) for window in found.schedule.windows]
    rest = [float(found.lower_bound), bool(found.proven), int(found.states), int(found.extended)]
    return {"windows": windows, "joint": rest}


def _to_joint(entry: Mapping[str, Any]) -> JointResult:
    windows = entry["windows"]
    schedule = None if windows is None else PackageSchedule(tuple(window_from_json(window) for window in windows))
    return JointResult(schedule, *entry["joint"])
