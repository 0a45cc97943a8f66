"""The study document and the grid that it spans. Nothing here reads the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from engines.contract.designs import canonical_json
from engines.contract.engine import Engine
from engines.contract.errors import ProblemError, UnknownEngineError
from engines.documents.problems import read_seed
from engines.registry import engine_names, get_engine
from engines.running.time_limits import read_minutes
from webapp.runs.inputs.documents import check_names

MAX_CELLS = 1000
KEYS = ("engine", "version", "title", "inputs", "params", "seeds", "stop_after_minutes", "project")
SEED = "seed"
WORKLOADS = "inputs.workload"
EACH = "each"
Cell = Mapping[str, Any]


class CellError(ProblemError):
    """One cell of a grid cannot be run. `cell` is its place."""

    def __init__(self, field: str, got: Any, accepted: str, cell: Cell, **advice: Any) -> None:
        """Make a `ProblemError` of the cell; `advice` is `reason` and `remedies`."""
        self.cell = cell
        reason = f"The combination {cell_words(cell)} is refused. {advice.pop('reason', '')}".strip()
        super().__init__(field, got, accepted, reason=reason, **advice)

    @classmethod
    def in_cell(cls, error: ProblemError, cell: Cell) -> CellError:
        """Return the refusal of the problem of a cell."""
        return cls(error.field, error.got, error.accepted, cell, reason=error.reason, remedies=error.remedies)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickling needs, including the cell."""
        return type(self), (self.field, self.got, self.accepted, self.cell), {**vars(self), "args": self.args}


@dataclass(frozen=True)
class Axis:
    """One direction of a grid.

    Attributes:
        name: "inputs.<slot>", "params.<name>" or "seed".
        values: slugs, parameter values or seeds, at least one, all different.
    """

    name: str
    values: tuple[Any, ...]

    @property
    def varies(self) -> bool:
        """Whether it has more than one value."""
        return len(self.values) > 1

    def position(self, value: Any) -> int | None:
        """Return the place of a value on the axis; None if it is not there."""
        return self._places.get(canonical_json({"": value}))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {canonical_json({"": value}): position for position, value in enumerate(self.values)}


@dataclass(frozen=True)
class Grid:
    """The grid that a study document spans.

    Attributes:
        engine: the engine of every cell.
        axes: one per input slot, per parameter with `each`, and the seeds at the end.
        params: parameters that are the same in every cell.
        stop_after_minutes: time limit of every run; None for none.
    """

    engine: Engine
    axes: tuple[Axis, ...]
    params: Mapping[str, Any]
    stop_after_minutes: float | None = None

    @property
    def size(self) -> int:
        """How many cells there are."""
        return prod(len(axis.values) for axis in self.axes)

    @property
    def varying(self) -> tuple[Axis, ...]:
        """The axes with more than one value."""
        return tuple(axis for axis in self.axes if axis.varies)

    def cells(self) -> Iterator[dict[str, Any]]:
        """Yield every cell as axis -> value; the seed varies fastest."""
        names = [axis.name for axis in self.axes]
        for values in product(*(axis.values for axis in self.axes)):
            yield dict(zip(names, values, strict=True))

    def inputs_of(self, cell: Cell) -> dict[str, str]:
        """Return slot -> slug of a cell."""
        return _below("inputs.", cell)

    def params_of(self, cell: Cell) -> dict[str, Any]:
        """Return all given parameters of a cell."""
        return {**self.params, **_below("params.", cell)}

    def document(self, title: str) -> dict[str, Any]:
        """Return the study document in full form: lists for inputs and seeds, the engine's version."""
        each = {name: {EACH: list(values)} for name, values in _below("params.", self._values()).items()}
        return {
            "engine": self.engine.name,
            "version": self.engine.version,
            "title": title,
            "inputs": {slot: list(values) for slot, values in _below("inputs.", self._values()).items()},
            "params": {**self.params, **each},
            "seeds": list(self._values()[SEED]),
            **({} if self.stop_after_minutes is None else {"stop_after_minutes": self.stop_after_minutes}),
        }

    def _values(self) -> dict[str, tuple[Any, ...]]:
        return {axis.name: axis.values for axis in self.axes}


def read_grid(document: Any) -> Grid:
    """Return the grid of a study document, with slugs and parameter values as given: they are not looked up here.

    Args:
        document: {"engine", "inputs": {slot: slug | [slug, ...]}, "params": {name: value | {"each": [value, ...]}},
            "seeds": [0, 1, 2], "stop_after_minutes", "title", "version", "project"}; without seeds there is one, 0.

    Raises:
        ProblemError: field, got, accepted; also for more than `MAX_CELLS` cells.
    """
    if not isinstance(document, Mapping):
        raise ProblemError("study", type(document).__name__, "a mapping with the keys " + ", ".join(KEYS))
    for key in document:
        if key not in KEYS:
            raise ProblemError(str(key), document[key], "one of the keys " + ", ".join(KEYS))
    check_names(document)
    engine = _engine(document.get("engine"), document.get("version"))
    inputs = _mapping("inputs", document.get("inputs"))
    params = _mapping("params", document.get("params"))
    axes = [_input_axis(slot, given) for slot, given in inputs.items() if given not in (None, "", [])]
    axes += [Axis(f"params.{name}", _distinct(f"params.{name}.{EACH}", given[EACH]))
             for name, given in params.items() if _is_each(given)]  # fmt: skip
    axes.append(Axis(SEED, _seeds(document.get("seeds", [0]))))
    minutes = read_minutes(document.get("stop_after_minutes"))
    grid = Grid(engine, tuple(axes), {name: given for name, given in params.items() if not _is_each(given)}, minutes)
    if grid.size > MAX_CELLS:
        factors = " x ".join(f"{len(axis.values)} {axis.name}" for axis in grid.varying)
        raise ProblemError("study", f"{grid.size} cells ({factors})", f"at most {MAX_CELLS} cells")
    return grid


def cell_words(cell: Cell, axes: Sequence[Axis] | None = None) -> str:
    """Return a cell in words: "hardware=simba-3x3-nvdla, mini_batch=4, seed=1"; only the given axes where there are some."""
    names = list(cell) if axes is None else [axis.name for axis in axes]
    return ", ".join(f"{short_name(name)}={cell[name]}" for name in names if name in cell)


def short_name(axis: str) -> str:
    """Return the name of an axis without its family: "inputs.hardware" is "hardware"."""
    return axis.partition(".")[2] or axis


def _below(family: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(family): value for name, value in values.items() if name.startswith(family)}


def _engine(name: Any, version: Any) -> Engine:
    try:
        engine = get_engine(name if isinstance(name, str) else "")
    except UnknownEngineError as error:
        raise ProblemError("engine", name, f"one of {', '.join(engine_names())}") from error
    if version not in (None, engine.version):
        raise ProblemError("version", version, f"{engine.version}, the version of the installed engine")
    return engine


def _mapping(field: str, given: Any) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ProblemError(field, given, "a mapping of names to values")
    return given


def _is_each(given: Any) -> bool:
    return isinstance(given, Mapping) and set(given) == {EACH}


def _input_axis(slot: str, given: Any) -> Axis:
    values = [given] if isinstance(given, str) else given
    found = _distinct(f"inputs.{slot}", values)
    for slug in found:
        if not isinstance(slug, str) or not slug:
            raise ProblemError(f"inputs.{slot}", slug, "slugs of the catalogue")
    return Axis(f"inputs.{slot}", found)


def _seeds(given: Any) -> tuple[int, ...]:
    read = [read_seed(seed, "seeds") for seed in given] if isinstance(given, list | tuple) else given
    return _distinct("seeds", read)


def _distinct(field: str, given: Any) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple) or not given:
        raise ProblemError(field, given, "a list with at least one value")
    if len(given) > MAX_CELLS:
        raise ProblemError(field, f"{len(given)} values", f"at most {MAX_CELLS} values")
    seen: set[str] = set()
    for value in given:
        try:
            text = canonical_json({"": value})
        except (TypeError, ValueError) as error:
            raise ProblemError(field, str(value), "values that JSON can represent") from error
        if text in seen:
            raise ProblemError(field, value, "values that are all different")
        seen.add(text)
    return tuple(given)
