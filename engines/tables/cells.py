"""Cells of one column as values, batch after batch: numbers and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from engines.contract.arrays import FloatArray

_WITHOUT = ("Leave out rows without a measurement.",)
_TWO_SIGNS = r",.*[.,]|\..*,"
# A comma before three digits may stand between thousands; not so after nothing, 0 or four digits.
_CERTAIN = r"^[+-]?0*,|^[+-]?\d{4,},|,(\d{0,2}|\d{4,})([eE].*)?$"


class CellError(Exception):
    """A cell that cannot be read.

    Attributes:
        row: of the batch, from 0 on; of all rows where `Cells.whole` raises it.
        accepted, remedies: as of a `ProblemError`.
    """

    def __init__(self, row: int, accepted: str, remedies: Sequence[str] = ()) -> None:
        self.row, self.accepted, self.remedies = row, accepted, remedies
        super().__init__(f"row {row}: {accepted}")


class Cells(Protocol):
    """The values of one column, taken from batches of cells."""

    def take(self, cells: pa.StringArray) -> None:
        """Add a batch.

        Raises:
            CellError: a cell cannot be read.
        """

    def whole(self) -> Any:
        """Return the values of all batches.

        Raises:
            CellError: the cells can be read in two ways.
        """


@dataclass
class Decimals:
    """The decimal sign, one for all columns of a table.

    Attributes:
        sign: "." or "," once a number has one, else "".
        certain: whether some comma cannot be a thousands separator.
    """

    sign: str = ""
    certain: bool = False


@dataclass
class Numbers:
    """A column of finite numbers in 64 bits."""

    decimals: Decimals = field(default_factory=Decimals)
    parts: list[FloatArray] = field(default_factory=list)
    _comma_row: int | None = None  # the first

    def take(self, cells: pa.StringArray) -> None:  # noqa: D102
        values = _cast(cells)
        if values is None or self.decimals.sign != ".":
            self._check_sign(cells)
        if values is None:
            cells = pc.utf8_trim_whitespace(cells)
            values = _cast(self._with_points(cells))
        if values is None:
            raise _no_number(cells)
        if not np.isfinite(values).all():
            raise CellError(int(np.argmin(np.isfinite(values))), "a finite number", _WITHOUT)
        self.parts.append(values)

    def whole(self) -> FloatArray:  # noqa: D102
        if self._comma_row is not None and not self.decimals.certain:
            way = "Write decimals with a point. A comma before three digits may also separate thousands."
            raise CellError(self._comma_row, "a number with a decimal point", [way])
        return np.concatenate(self.parts) if self.parts else np.empty(0)

    def _with_points(self, cells: pa.StringArray) -> pa.StringArray:
        """Return the cells with a point for each comma before decimals."""
        commas = _where(cells, ",")
        if not commas.size:
            return cells
        if self._comma_row is None:
            self._comma_row = sum(map(len, self.parts)) + int(commas[0])
        self.decimals.certain |= bool(_matching(cells.take(pa.array(commas)), _CERTAIN).size)
        return pc.replace_substring(cells, ",", ".")

    def _check_sign(self, cells: pa.StringArray) -> None:
        """Refuse a cell with another decimal sign than the cells before it."""
        signs = {sign: rows for sign in ".," if (rows := _where(cells, sign)).size}
        if "," in signs and (both := _matching(cells, _TWO_SIGNS)).size:
            raise CellError(
                int(both[0]), "a number without thousands separators, with a decimal point or a decimal comma"
            )
        self.decimals.sign = self.decimals.sign or min(signs, key=lambda sign: int(signs[sign][0]), default="")
        for sign, rows in signs.items():
            if sign != self.decimals.sign:
                word = "point" if self.decimals.sign == "." else "comma"
                raise CellError(int(rows[0]), f"a number with a decimal {word}, as in other cells")


@dataclass
class Texts:
    """A column of text: every different word once, and the index of its word for each row."""

    parts: list[pa.Array] = field(default_factory=list)

    def take(self, cells: pa.StringArray) -> None:  # noqa: D102
        self.parts.append(pc.utf8_trim_whitespace(cells).dictionary_encode())

    def whole(self) -> tuple[list[str], npt.NDArray[np.int32]]:  # noqa: D102
        if not self.parts:
            return [], np.empty(0, np.int32)
        joined = pa.chunked_array(self.parts).unify_dictionaries()
        codes = [as_array(chunk.indices) for chunk in joined.chunks]
        return joined.chunk(0).dictionary.to_pylist(), np.concatenate(codes)


def as_array(values: pa.Array) -> npt.NDArray[Any]:
    """Return numbers without gaps as they lie in memory; `to_numpy` would first import pandas, which takes longer than a table."""
    dtype = np.dtype(values.type.to_pandas_dtype())
    return np.frombuffer(values.buffers()[1] or b"", dtype)[values.offset : values.offset + len(values)]


def _cast(cells: pa.StringArray) -> FloatArray | None:
    try:
        return as_array(pc.cast(cells, pa.float64()))
    except pa.ArrowInvalid:
        return None


def _where(cells: pa.StringArray, sign: str) -> npt.NDArray[np.uint64]:
    return as_array(pc.indices_nonzero(pc.match_substring(cells, sign)))


def _matching(cells: pa.StringArray, pattern: str) -> npt.NDArray[np.uint64]:
    return as_array(pc.indices_nonzero(pc.match_substring_regex(cells, pattern)))


def _no_number(cells: pa.StringArray) -> CellError:
    """Return the refusal of the first cell that is no number, found by halves."""
    row = 0
    while len(cells) > 1:
        half = len(cells) // 2
        row, cells = (row, cells[:half]) if _cast(cells[:half]) is None else (row + half, cells[half:])
    text = cells[0].as_py()
    hint = " with a decimal point, without thousands separators" if "," in text else ""
    return CellError(row, f"a number{hint}", () if text else _WITHOUT)
