"""Designs: the columns that every page, front and table reads, and the nested decision that rebuilds each one.

The position of a design in the order of being appended is its number within the run, from 0 on.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.fronts.front import COUNTED, best_among, feasible, front_among
from engines.contract.quantities import Quantity, objectives_of
from engines.contract.stored_decisions import StoredDecisions

Decision = Mapping[str, Any]  # JSON values that rebuild a design
Decisions = Sequence[Decision]
Origin = Literal["search", "baseline", "user"]
ORIGINS = get_args(Origin)
# What every table of designs has beside the columns of the engine's quantities.
FACTS = ("found_at_evaluation", "origin", "label")
_UNPACKED_AT_ONCE_BYTES = 200_000
# With Arrow's own allocator a process takes a third longer to read a million designs for the first time.
pa.set_memory_pool(pa.system_memory_pool())


@dataclass(frozen=True, eq=False)
class Designs:
    """A set of `n` designs as columns. For a user's own designs, columns and decisions are enough.

    Attributes:
        columns: column name -> float64 array of shape `n`; NaN means "not defined for this design".
        decisions: `n` mappings of JSON values; `Engine.evaluate` and `Engine.explain` rebuild a design from its decision alone.
        found_at_evaluation: int64 array of shape `n`: number of evaluations that the search had made when it found the design.
        origin: `n` strings of `ORIGINS`.
        label: `n` strings: name of a baseline or of a user's design, remark of a search on its result ("proven"), or "".
    """

    columns: Mapping[str, FloatArray]
    decisions: Decisions
    found_at_evaluation: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    origin: Sequence[str] = ()
    label: Sequence[str] = ()

    def __post_init__(self) -> None:
        count = len(self.decisions)
        object.__setattr__(self, "columns", {k: np.asarray(v, dtype=np.float64) for k, v in self.columns.items()})
        at = self.found_at_evaluation if len(self.found_at_evaluation) else np.zeros(count)
        object.__setattr__(self, "found_at_evaluation", np.asarray(at, dtype=np.int64))
        object.__setattr__(self, "label", tuple(self.label) if len(self.label) else ("",) * count)
        object.__setattr__(self, "origin", tuple(self.origin) if len(self.origin) else ("user",) * count)
        sizes = {name: array.shape for name, array in self.columns.items()}
        sizes |= {
            "found_at_evaluation": self.found_at_evaluation.shape,
            "origin": (len(self.origin),),
            "label": (len(self.label),),
        }
        wrong = {name: shape for name, shape in sizes.items() if shape != (count,)}
        if wrong:
            raise ValueError(f"Every column of {count} designs must have shape ({count},). Got {wrong} instead.")
        reserved = set(self.columns) & set(FACTS)
        if reserved:
            raise ValueError(f"No column may be named like one of {FACTS}. Got {sorted(reserved)}.")
        unknown = set(self.origin) - set(ORIGINS)
        if unknown:
            raise ValueError(f"The origin of a design must be one of {ORIGINS}. Got {sorted(unknown)} instead.")

    def __len__(self) -> int:
        return len(self.decisions)

    def equals(self, other: Designs) -> bool:
        """Return whether both hold the same designs in the same order, value for value; NaN equals NaN."""
        return (
            set(self.columns) == set(other.columns)
            and all(np.array_equal(array, other.columns[name], equal_nan=True) for name, array in self.columns.items())
            and np.array_equal(self.found_at_evaluation, other.found_at_evaluation)
            and (self.origin, self.label) == (other.origin, other.label)
            and [canonical_json(d) for d in self.decisions] == [canonical_json(d) for d in other.decisions]
        )

    def matrix(self, names: Iterable[str]) -> FloatArray:
        """Return the named columns as one matrix, shape `n x len(names)`."""
        listed = list(names)
        return np.column_stack([self.columns[name] for name in listed]) if listed else np.empty((len(self), 0))

    def take(self, indices: Sequence[int] | npt.NDArray[Any]) -> Designs:
        """Return the designs at `indices`, in that order."""
        rows = np.asarray(indices).astype(np.int64)
        picked, decisions = rows.tolist(), self.decisions
        return Designs(
            columns={name: array[rows] for name, array in self.columns.items()},
            decisions=decisions.take(rows)
            if isinstance(decisions, StoredDecisions)
            else [decisions[i] for i in picked],
            found_at_evaluation=self.found_at_evaluation[rows],
            origin=[self.origin[i] for i in picked],
            label=[self.label[i] for i in picked],
        )

    def of_origin(self, *origins: str) -> BoolArray:
        """Return a mask of the designs with one of these origins, shape `n`."""
        return np.fromiter(map(frozenset(origins).__contains__, self.origin), bool, len(self))

    def feasible(self, quantities: Iterable[Quantity]) -> BoolArray:
        """Return a mask of the designs that meet all constraints among `quantities`, shape `n`; a NaN slack is a violation."""
        return feasible(self.columns, quantities, len(self))

    def counted(self, quantities: Iterable[Quantity], origins: Sequence[str] = COUNTED) -> BoolArray:
        """Return a mask of the designs that count for front, best and hypervolume, shape `n`: feasible, and of these origins.

        Args:
            quantities: the metrics of the run, with their roles in it.
            origins: origins that count; by default the search alone, for the reason in `engines.contract.fronts.front`.
        """
        return self.of_origin(*origins) & self.feasible(quantities)

    def front(self, quantities: Sequence[Quantity], origins: Sequence[str] = COUNTED) -> IntArray:
        """Return the Pareto front: numbers of the counted designs that no other one dominates over all objectives, ascending.

        Equal designs are all included.
        """
        return front_among(self.columns, objectives_of(quantities), np.flatnonzero(self.counted(quantities, origins)))

    def best(self, quantity: Quantity, quantities: Iterable[Quantity], origins: Sequence[str] = COUNTED) -> int | None:
        """Return the number of the counted design with the best finite value of `quantity`, the first one of equal designs.

        None if no counted design has a finite value.
        """
        rows = np.flatnonzero(self.counted(quantities, origins))
        return best_among(self.columns[quantity.name], quantity.sense, rows)

    @staticmethod
    def empty(quantities: Iterable[Quantity]) -> Designs:
        """Return a set of zero designs with one column per quantity."""
        return Designs({q.name: np.empty(0) for q in quantities}, (), np.empty(0, np.int64), ())

    @staticmethod
    def concatenate(parts: Sequence[Designs]) -> Designs:
        """Return all designs of `parts` in order; every part must have the same columns, in any order."""
        if not parts:
            raise ValueError("Designs.concatenate needs at least one part. Use Designs.empty for none.")
        names = list(parts[0].columns)
        for part in parts:
            if set(part.columns) != set(names):
                raise ValueError(f"All parts must have the columns {names}. Got {list(part.columns)} instead.")
        return Designs(
            columns={name: np.concatenate([part.columns[name] for part in parts]) for name in names},
            decisions=_joined_decisions([part.decisions for part in parts if len(part)]),
            found_at_evaluation=np.concatenate([part.found_at_evaluation for part in parts]),
            origin=tuple(chain.from_iterable(part.origin for part in parts)),
            label=tuple(chain.from_iterable(part.label for part in parts)),
        )

    def scalars_table(self) -> pa.Table:
        """Return all data except the decisions as an Arrow table (columns, then found_at_evaluation, origin, label)."""
        table = {name: pa.array(array) for name, array in self.columns.items()}
        table["found_at_evaluation"] = pa.array(self.found_at_evaluation)
        table["origin"] = _dictionary(self.origin)
        table["label"] = pa.array(list(self.label), pa.string())
        return pa.table(table)

    def decisions_table(self) -> pa.Table:
        """Return the decisions as an Arrow table: one column `decision`, one canonical JSON text per design."""
        texts = [canonical_json(decision) for decision in self.decisions]
        return pa.table({"decision": pa.array(texts, pa.string())})

    @staticmethod
    def from_tables(scalars: pa.Table, decisions: pa.Table) -> Designs:
        """Return the designs that `scalars_table` and `decisions_table` wrote."""
        names = [name for name in scalars.column_names if name not in FACTS]
        return Designs(
            columns={name: scalars[name].to_numpy() for name in names},
            decisions=[json.loads(text) for text in decisions["decision"].to_pylist()],
            found_at_evaluation=scalars["found_at_evaluation"].to_numpy(),
            origin=scalars["origin"].to_pylist(),
            label=scalars["label"].to_pylist(),
        )

    @staticmethod
    def from_scalars(
        tables: Iterable[pa.Table],
        names: Iterable[str],
        read_decisions: Callable[[], Sequence[str]] | None = None,
        count: int | None = None,
    ) -> Designs:
        """Return the designs of several `scalars_table`s in order; decisions are read when the first one is needed.

        Args:
            tables: Arrow tables with at least the columns `FACTS`.
            names: quantities to read; NaN for a table that lacks one.
            read_decisions: returns the canonical JSON text of every decision; None if decisions are not needed.
            count: number of designs in all tables, if known. Each table is then released before the next is read, so that all take
                the memory of one. Designs beyond `count` are dropped; with fewer designs the result is shorter.
        """
        if count is None:
            tables = list(tables)
            count = sum(table.num_rows for table in tables)
        filled, found = _Filled(names, count), 0
        for table in tables:
            found += filled.take(table.slice(0, count - found), found)
        return Designs(
            columns={name: array[:found] for name, array in filled.columns.items()},
            decisions=StoredDecisions(found, read_decisions),
            found_at_evaluation=filled.found_at_evaluation[:found],
            origin=tuple(chain.from_iterable(filled.origin)),
            label=tuple(chain.from_iterable(filled.label)),
        )


def _dictionary(texts: Sequence[str]) -> pa.DictionaryArray:
    """Encode texts like `dictionary_encode`, without Arrow's functions, which take 60 ms to load in every run's process."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return pa.DictionaryArray.from_arrays(
        pa.array([numbers[text] for text in texts], pa.int32()), pa.array(list(numbers), pa.string())
    )


class _Filled:
    """Columns of `count` designs into which one table after the other is copied."""

    def __init__(self, names: Iterable[str], count: int) -> None:
        self.columns: dict[str, FloatArray] = {name: np.empty(count) for name in names}
        self.found_at_evaluation: IntArray = np.empty(count, np.int64)
        self.origin: list[Iterable[str]] = []
        self.label: list[Iterable[str]] = []

    def take(self, table: pa.Table, at: int) -> int:
        """Copy a table behind the first `at` designs; return the number of designs copied."""
        rows = slice(at, at + table.num_rows)
        for name, column in self.columns.items():
            column[rows] = table[name].to_numpy() if name in table.column_names else np.nan
        self.found_at_evaluation[rows] = table["found_at_evaluation"].to_numpy()
        self.origin.append(_texts_of(table["origin"]))
        self.label.append(_texts_of(table["label"]))
        return int(table.num_rows)


def _joined_decisions(parts: Sequence[Decisions]) -> Decisions:
    stored = [part for part in parts if isinstance(part, StoredDecisions)]
    return StoredDecisions.joined(stored) if stored and len(stored) == len(parts) else [*chain.from_iterable(parts)]


def _texts_of(column: pa.ChunkedArray) -> Iterable[str]:
    distinct = column.unique()
    if len(distinct) == 1:  # as nearly always: every design comes from the search, and none has a name
        return repeat(distinct[0].as_py(), len(column))
    # Through an object array: ten times as fast as Arrow's own lists of text.
    texts: list[str] = column.to_numpy().tolist()
    return texts


def canonical_json(value: Any) -> str:
    """Return the JSON text with sorted keys and no spaces; NaN and infinity, which JSON lacks, raise ValueError."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_as_dict
    )


def ordered_json(value: Any) -> str:
    """Return the JSON text with the keys in their own order, which engines follow.

    Refuses NaN and infinity, which JSON cannot say.
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_as_dict)


def _as_dict(value: Any) -> dict[str, Any]:
    """Return a mapping of any type as a `dict`, the only one that the JSON writer accepts."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def joined_tables(tables: Sequence[pa.Table]) -> pa.Table:
    """Return the rows of several tables with the same columns as one table, equal to a table made of all rows at once."""
    names = tables[0].column_names
    columns = {}
    for name in names:
        # A column of few different texts has a dictionary in each table.
        parts = [chunk for table in tables for chunk in table[name].chunks]
        plain = [part.dictionary_decode() if pa.types.is_dictionary(part.type) else part for part in parts]
        whole = pa.concat_arrays(plain)
        columns[name] = (
            whole.dictionary_encode() if pa.types.is_dictionary(tables[0].schema.field(name).type) else whole
        )
    return pa.table(columns)


def table_to_bytes(table: pa.Table) -> bytes:
    """Return an Arrow table as an IPC stream, zstd compressed."""
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return sink.getvalue()


def table_from_bytes(data: bytes, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the table that `table_to_bytes` wrote, or only its `columns`."""
    wanted = None
    if columns is not None:
        asked = set(columns)
        wanted = [index for index, name in enumerate(pa.ipc.open_stream(data).schema.names) if name in asked]
    # Waking Arrow's threads takes longer than unpacking the few hundred designs of a step, and they wait for busy cores.
    options = pa.ipc.IpcReadOptions(included_fields=wanted, use_threads=len(data) > _UNPACKED_AT_ONCE_BYTES)
    return pa.ipc.open_stream(data, options=options).read_all()
