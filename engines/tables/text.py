"""Text of a file in UTF-8, and the places of the head and the rows of a table in it."""

from __future__ import annotations

import codecs
import csv
import re
from dataclasses import dataclass
from itertools import pairwise

from engines.contract.errors import ProblemError
from hardware.units import split_unit

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_SEPARATORS = ",;\t|"
_LINES_LOOKED_AT = 60
_PART_BYTES = 1 << 20
_COMMENTS = ("#", "%", "//")
_BLANKS = re.compile(rb"[ \t]+")


@dataclass(frozen=True)
class Layout:
    """The places of the parts of a table.

    Attributes:
        separator: between cells.
        head: names of the columns.
        line: line of the head, from 1 on.
        text: the file in UTF-8, with line feeds.
        begin: begin of the rows below the head, in bytes.
        notes: sentences on omitted and assumed parts.
    """

    separator: str
    head: tuple[str, ...]
    line: int
    text: bytes
    begin: int
    notes: tuple[str, ...]


def as_utf8(data: bytes, name: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a text as UTF-8 with line feeds, and what was assumed about its encoding.

    Raises:
        ProblemError: the file is no text.
    """
    notes: tuple[str, ...] = ()
    encoding, mark = next(((each, len(mark)) for mark, each in _MARKS if data.startswith(mark)), ("", 0))
    if not encoding and b"\0" in data[:4]:
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    try:
        text = data[mark:] if encoding in ("", "utf-8") else data[mark:].decode(encoding).encode()
    except UnicodeError as error:
        raise ProblemError(
            "file", name, "text in UTF-8", reason=f"The file begins as {encoding} and cannot be decoded: {error}."
        ) from error
    if not _is_utf8(text):
        text = _western(text, name)
        notes = (
            "The file is not UTF-8 and was read as Windows-1252 (Western European). Check names with special letters.",
        )
    if b"\0" in text:
        raise ProblemError("file", name, "text without the character NUL", text[: text.index(b"\0")].count(b"\n") + 1)
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text, notes


def layout_of(data: bytes, name: str, most_columns: int) -> Layout:
    """Return separator, head and rows of a table.

    Args:
        data: the file.
        name: name in messages.
        most_columns: largest accepted number of columns.

    Raises:
        ProblemError: the file is no text, or has no head of two columns or more.
    """
    text, notes = as_utf8(data, name)
    lines = text[:200_000].decode(errors="ignore").split("\n")[:_LINES_LOOKED_AT]
    separator = _separator(lines)
    if separator == " ":
        text = b"\n".join(_BLANKS.sub(b"\t", line.strip()) for line in text.split(b"\n"))
        lines, separator = [re.sub(r"[ \t]+", "\t", line.strip()) for line in lines], "\t"
    number, head = _head(lines, separator)
    if not 2 <= len(head) <= most_columns:
        got, accepted = (
            ", ".join(head)[:200],
            f"a head of 2 to {most_columns} columns, separated by commas, semicolons or tabs",
        )
        raise ProblemError("head", got, accepted, number + 1)
    before = sum(
        bool(line.strip()) and not line.startswith(_COMMENTS) and not _names_separator(line) for line in lines[:number]
    )
    if before:
        notes += (f"{before} {'line' if before == 1 else 'lines'} above the head were left out.",)
    begin = 0
    for _ in range(number + 1):
        begin = (text.find(b"\n", begin) + 1) or len(text)
    units = _units(lines[number + 1 : number + 2], separator)
    if len(units) == len(head):
        known = [own and own[1].symbol for own in map(split_unit, head)]
        cells = zip(head, units, known, strict=True)
        head = tuple(name if unit in ("", own) else f"{name} [{unit}]" for name, unit, own in cells)
        text = text[:begin] + b"#" + text[begin:]  # a comment: lines keep their numbers
    return Layout(separator, head, number + 1, text, begin, notes)


def cells_of(line: str, separator: str) -> list[str]:
    """Return the cells of a line, without blanks around them."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


def is_number(cell: str) -> bool:
    """Return whether a cell holds a number, with a point or a comma."""
    return bool(re.fullmatch(r"[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?", cell.strip()))


def _units(below: list[str], separator: str) -> list[str]:
    """Return the units in the line below the names of columns, in brackets or without; none where it holds anything else."""
    cells = [re.sub(r"^[\[(](.*)[\])]$", r"\1", cell) for line in below for cell in cells_of(line, separator)]
    known = all(not cell or (not is_number(cell) and split_unit(f"x [{cell}]")) for cell in cells)
    return cells if known and any(cells) else []


def _is_utf8(text: bytes) -> bool:
    """Return whether all bytes are UTF-8; decoded in parts, as the whole of a long text would need its memory again."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(text), _PART_BYTES):
            decoder.decode(text[begin : begin + _PART_BYTES])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _western(text: bytes, name: str) -> bytes:
    try:
        return text.decode("cp1252").encode()
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise ProblemError("file", name, f"text in UTF-8 (byte {error.start} is invalid)", line) from error


def _names_separator(line: str) -> bool:
    return line.lower().startswith("sep=")


def _separator(lines: list[str]) -> str:
    """Return the separator that cuts the most lines into as many cells as the line before."""
    named = next((line[4:5] for line in lines if _names_separator(line)), "")
    if named and named in _SEPARATORS:
        return named
    rows = [line for line in lines if line.strip() and not line.startswith(_COMMENTS)]

    def score(separator: str) -> tuple[int, int]:
        counts = [len(cells_of(line, separator)) for line in rows]
        same = sum(first == second > 1 for first, second in pairwise(counts))
        return same, max(counts, default=0)

    best = max(_SEPARATORS, key=score)
    if score(best)[1] > 1:
        return best
    return " " if any(len(line.split()) > 1 for line in rows) else ","


def _head(lines: list[str], separator: str) -> tuple[int, tuple[str, ...]]:
    """Index and cells of the line that names the columns: the first one without numbers that has as many cells as the next row.

    A comment counts where numbers follow. Where there is none, the first row of two cells or more.
    """
    rows = [(number, line) for number, line in enumerate(lines) if line.strip() and not _names_separator(line)]
    first: tuple[int, tuple[str, ...]] | None = None
    for place, (number, line) in enumerate(rows):
        comment = next((sign for sign in _COMMENTS if line.startswith(sign)), "")
        cells = cells_of(line.removeprefix(comment), separator)
        below = next((cells_of(each, separator) for _, each in rows[place + 1 :] if not each.startswith(_COMMENTS)), [])
        named = len(cells) == len(below) > 1 and not any(map(is_number, cells))
        if named and (not comment or any(map(is_number, below))):
            return number, tuple(cells)
        if not comment and (first is None or len(first[1]) < 2 <= len(cells)):
            first = number, tuple(cells)
    return first or (0, ())
