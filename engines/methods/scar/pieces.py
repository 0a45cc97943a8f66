"""What a run searched so far, piece by piece: windows, and searches over all windows together.

The order of pieces follows from the problem alone. A resumed run walks through them again and takes what its checkpoint
holds in place of searching, so that it goes on where it was, with the same designs.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgpack
import numpy as np

from engines.chiplets.joint.search import JointResult
from engines.chiplets.joint.slope_search import NextWindow
from engines.chiplets.problem.decision import Placement, ScarSchedule, Window
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables
from engines.chiplets.windows.greedy import WindowSearch
from engines.chiplets.windows.options import DeadEndError, WindowOption, WindowOptions, WindowProof
from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.chiplets.windows.reconfig import LayerRange

_MOST_BYTES = 850_000  # of all pieces in a checkpoint, which may have 1 MB
_WORK_PER_CHECKPOINT = 2_000_000  # states: some seconds
_WORK_OF_SEARCH = 250_000  # what a search counts besides the states that it looks at
_WORK_OF_EXTENSION = 5_000  # what setting up the search of a window costs a search over all windows, in states


class Pieces:
    """The pieces of one run.

    Args:
        state: `state()` of an earlier attempt; empty for none.
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        self.searched = 0  # pieces that were not taken from `state`
        self._next = 0
        self._work = 0
        self._kept: dict[int, bytes] = {}
        if state and "pieces" in state:
            begin = 0
            for number, length in zip(state["piece_numbers"], state["piece_lengths"], strict=True):
                self._kept[int(number)] = state["pieces"][begin : begin + int(length)].tobytes()
                begin += int(length)

    def state(self) -> dict[str, Any]:
        """For a checkpoint. Where all pieces are more than it can hold, the oldest are left out: they are searched again."""
        numbers, size = [], 0
        for number in sorted(self._kept, reverse=True):
            size += len(self._kept[number])
            if size > _MOST_BYTES:
                break
            numbers.append(number)
        numbers.reverse()
        return {
            "pieces": np.frombuffer(b"".join(self._kept[number] for number in numbers), np.uint8),
            "piece_numbers": np.array(numbers, np.int64),
            "piece_lengths": np.array([len(self._kept[number]) for number in numbers], np.int64),
        }

    @property
    def due(self) -> bool:
        """Whether enough was searched since the last checkpoint for another one."""
        return self._work >= _WORK_PER_CHECKPOINT

    def saved(self) -> None:
        """A checkpoint was made."""
        self._work = 0

    @property
    def position(self) -> int:
        """Number of the next piece."""
        return self._next

    def keep_best(self, first: int, end: int) -> None:
        """Of the windows among pieces `first`..`end`-1 only the best mappings are needed from now on."""
        for number in range(first, end):
            if number in self._kept:
                entry = _unpacked(self._kept[number])
                if entry.get("options"):
                    self._kept[number] = _packed({**entry, "options": []})

    def of_windows(
        self, search: WindowSearch, random: np.random.Generator | None = None, *, best_only: bool = False
    ) -> WindowSearch:
        """`search`, whose results are kept.

        Args:
            search: how a window is searched.
            random: the stream that it draws from, if any; it is kept as it was after each window.
            best_only: nothing but the best mapping is needed later.
        """

        def kept(
            tables: ScenarioTables,
            ranges: Sequence[LayerRange],
            location: Sequence[int],
            roots: tuple[int, ...],
            goal: Goal,
        ) -> WindowOptions:
            def compute() -> dict[str, Any]:
                try:
                    found = search(tables, ranges, location, roots, goal)
                except DeadEndError as error:
                    entry: dict[str, Any] = {"dead_end": [error.models, error.starts]}
                else:
                    entry = _of_options(replace(found, options=()) if best_only else found)
                if random is not None:
                    entry["random"] = _random_state(random)
                return entry

            entry = self._piece(compute, lambda entry: _work_of_window(tables, entry))
            if random is not None:
                random.bit_generator.state = json.loads(entry["random"])
            if "dead_end" in entry:
                raise DeadEndError(*entry["dead_end"])
            return _to_options(entry)

        return kept

    def of_walk(self, search: NextWindow) -> tuple[WindowOption | None, int]:
        """What `search` gives for a window on a large package."""

        def compute() -> dict[str, Any]:
            option, states = search()
            return {"option": None if option is None else _of_option(option), "states": int(states)}

        entry = self._piece(compute, lambda entry: _WORK_PER_CHECKPOINT)
        return None if entry["option"] is None else _to_option(entry["option"]), entry["states"]

    def joint(self, search: Callable[[], JointResult]) -> JointResult:
        """The result of a search over all windows together."""

        def compute() -> dict[str, Any]:
            found = search()
            windows = None if found.schedule is None else [_of_window(window) for window in found.schedule.windows]
            rest = [found.lower_bound, found.proven, found.states, found.extended]
            return {"windows": windows, "joint": rest}

        entry = self._piece(compute, _work_of_joint)
        windows = entry["windows"]
        schedule = None if windows is None else ScarSchedule(tuple(_to_window(window) for window in windows))
        return JointResult(schedule, *entry["joint"])

    def _piece(self, compute: Callable[[], dict[str, Any]], work: Callable[[dict[str, Any]], int]) -> dict[str, Any]:
        number = self._next
        self._next += 1
        if number not in self._kept:
            entry = compute()
            self._kept[number] = _packed(entry)
            self.searched += 1
            self._work += work(entry)
            return entry
        return _unpacked(self._kept[number])


def _work_of_window(tables: ScenarioTables, entry: Mapping[str, Any]) -> int:
    """In states; on large packages a window may take half a minute by itself."""
    if tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
        return _WORK_PER_CHECKPOINT
    return _WORK_OF_SEARCH + (entry["proof"][2] if entry.get("proof") else 0)


def _work_of_joint(entry: Mapping[str, Any]) -> int:
    _, _, states, extended = entry["joint"]
    return int(_WORK_OF_SEARCH + states + extended * _WORK_OF_EXTENSION)


def _packed(entry: dict[str, Any]) -> bytes:
    return zlib.compress(msgpack.packb(entry))


def _unpacked(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgpack.unpackb(zlib.decompress(data))
    return found


def _random_state(random: np.random.Generator) -> str:
    """As text, because its integers have up to 128 bits."""
    return json.dumps(random.bit_generator.state, default=lambda array: array.tolist())


def _of_options(found: WindowOptions) -> dict[str, Any]:
    proof = found.proof
    return {
        "best": _of_option(found.best),
        "options": [_of_option(option) for option in found.options],
        "nodes": [int(count) for count in found.nodes],
        "notes": list(found.notes),
        "proof": None if proof is None else [float(proof.lower_bound), bool(proof.proven), int(proof.states)],
    }


def _to_options(entry: Mapping[str, Any]) -> WindowOptions:
    return WindowOptions(
        _to_option(entry["best"]),
        tuple(_to_option(option) for option in entry["options"]),
        tuple(entry["nodes"]),
        tuple(entry["notes"]),
        None if entry["proof"] is None else WindowProof(*entry["proof"]),
    )


def _of_option(option: WindowOption) -> list[Any]:
    return [_of_window(option.window), float(option.latency_s), float(option.energy_j)]


def _to_option(entry: Sequence[Any]) -> WindowOption:
    return WindowOption(_to_window(entry[0]), entry[1], entry[2])


def _of_window(window: Window) -> list[Any]:
    return [
        [int(p.model), int(p.first_layer), [int(cut) for cut in p.cuts], [int(chiplet) for chiplet in p.path]]
        for p in window
    ]


def _to_window(entry: Sequence[Any]) -> Window:
    return tuple(Placement(model, first, tuple(cuts), tuple(path)) for model, first, cuts, path in entry)
