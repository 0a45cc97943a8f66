"""Click logs: rows of a file as people have them, in a document of schema `click-log/1`, and as arrays.

Two formats are read. Criteo (tab-separated, no header): label, 13 numbers, 26 categories in hexadecimal; numbers and categories may
be empty. Ratings as Amazon and MovieLens publish them, a table with a head: user, item, rating or label, timestamp and, if wanted,
category.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from zlib import crc32

import numpy as np
from pydantic import Field

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.tables.cells import Numbers, Texts
from engines.tables.moments import Moments
from engines.tables.table import Table
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Words, named

CLICK_LOG_SCHEMA = "click-log/1"
NUMBERS, CATEGORIES = 13, 26
HISTORY = 8
_MOST_ENTRIES = 1000
_USER_SHARE = 0.75  # goyal-2023 section 5.3: the first three quarters of the categories are taken as the user's
_CLICKED_FROM = 4.0  # a rating from here on is a click
_MOST_STARS = 5.0
_MOST_COLUMNS = 2000
# What is read of ratings -> the names that its column has in public data sets, without signs between words.
_RATING_NAMES = {
    "user": "user userid uid reviewerid customerid visitorid",
    "item": "item itemid iid movieid productid asin parentasin bookid songid",
    "rating": "rating ratings overall score stars starrating",
    "label": "label click clicked",
    "timestamp": "timestamp time unixreviewtime date datetime",
    "category": "category genre genres",
}
_LEAST_ROWS = 50
_HEXADECIMAL = frozenset("0123456789abcdef")
Format = Literal["criteo", "ratings"]


class ClickLogDocument(Header):
    """A data document of schema `click-log/1`."""

    schema_name: Literal["click-log/1"] = named()
    source: Words = Field(title="Source", description="Where the log is from.")
    format: Format = Field(title="Format", description="criteo: tab-separated; ratings: a table with a head.")
    rows: Annotated[str, Field(min_length=1, max_length=1_900_000)] = Field(
        title="Rows", description="Rows of the file, line by line."
    )


@dataclass(frozen=True, eq=False)
class ClickTable:
    """Ids of one embedding table.

    Attributes:
        history: ids that the user's history looks up, shape `n x h`; h is 0 where it looks nothing up.
        candidate: those of the candidate, shape `n x c`, likewise.
        entries: number of ids.
    """

    title: str
    history: IntArray
    candidate: IntArray
    entries: int


@dataclass(frozen=True, eq=False)
class Clicks:
    """A click log as arrays of `n` rows, the oldest first.

    Attributes:
        dense: numbers, shape `n x f`; f may be 0.
        tables: those of the history, then those of candidates alone.
        labels: 1 where it was clicked, shape `n`.
    """

    title: str
    dense: FloatArray
    tables: tuple[ClickTable, ...]
    labels: IntArray


def load_click_log(content: Mapping[str, Any]) -> Clicks:
    """Return the log that a document holds.

    Raises:
        HardwareError: names the key, what was got and what is accepted.
        ProblemError: names line and column of what is wrong in a row.
    """
    document = validated(ClickLogDocument, content, name_of(content, None))
    read = criteo_clicks if document.format == "criteo" else rating_clicks
    return read(document.rows, document.title)


def criteo_clicks(text: str, title: str) -> Clicks:
    """Return the rows of Criteo's format.

    Numbers become log(1 + x), empty and negative ones 0, categories ids below 1000 by their hash.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    labels, numbers, ids = [], [], []
    for line, row in _lines(text, "\t"):
        if len(row) != 1 + NUMBERS + CATEGORIES:
            accepted = f"{1 + NUMBERS + CATEGORIES} columns, separated by tabs"
            reason = f"A row has a label, {NUMBERS} numbers and {CATEGORIES} categories."
            raise ProblemError("file", f"{len(row)} columns", accepted, line, reason=reason)
        labels.append(_label(row[0], "column 1 (label)", line))
        numbers.append([_number(cell, f"column {place}", line) for place, cell in enumerate(row[1 : 1 + NUMBERS], 2)])
        ids.append(
            [_category(cell, f"column {place}", line) for place, cell in enumerate(row[1 + NUMBERS :], 2 + NUMBERS)]
        )
    _enough(labels)
    codes = np.array(ids, dtype=np.int64)
    users = int(_USER_SHARE * CATEGORIES)
    none = np.empty((len(labels), 0), dtype=np.int64)
    tables = tuple(
        ClickTable(f"C{place + 1}", column, none, _MOST_ENTRIES)
        if place < users
        else ClickTable(f"C{place + 1}", none, column, _MOST_ENTRIES)
        for place, column in enumerate(codes.T[:, :, None])
    )
    dense = np.log1p(np.maximum(np.array(numbers, dtype=np.float64), 0.0))
    return Clicks(title, dense, tables, np.array(labels, dtype=np.int64))


def rating_clicks(text: str, title: str) -> Clicks:
    """Return the rows of ratings by time: the candidate is the item of a row, the history the eight clicks of the user before.

    Raises:
        ProblemError: names line and column of what is wrong.
    """
    rows = _ratings(text)
    rows.sort(key=lambda row: row[0])
    _enough([row[3] for row in rows])
    items, users, kinds = (
        _numbered(row[2] for row in rows),
        _numbered(row[1] for row in rows),
        _numbered(row[4] for row in rows),
    )
    kind_of = {row[2]: kinds[row[4]] for row in rows}
    past: dict[str, list[str]] = {}
    history, candidate = [], []
    for _, user, item, label, _ in rows:
        before = past.setdefault(user, [])
        history.append([0] * (HISTORY - len(before)) + [items[each] for each in before])
        candidate.append(items[item])
        if label:
            past[user] = [*before, item][-HISTORY:]
    liked, offered = np.array(history, dtype=np.int64), np.array(candidate, dtype=np.int64)[:, None]
    own = np.array([users[row[1]] for row in rows], dtype=np.int64)[:, None]
    none, labels = np.empty((len(rows), 0), dtype=np.int64), np.array([row[3] for row in rows], dtype=np.int64)
    lookup = np.zeros(len(items) + 1, dtype=np.int64)
    for name, number in items.items():
        lookup[number] = kind_of[name]
    tables = [ClickTable("user", own, none, len(users) + 1), ClickTable("item", liked, offered, len(items) + 1)]
    if len(kinds) > 1:
        tables.append(ClickTable("category", lookup[liked], lookup[offered], len(kinds) + 1))
    return Clicks(title, np.empty((len(rows), 0)), tuple(tables), labels)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    """Return each name once, from 1 on in the order in which it comes."""
    return {name: 1 + number for number, name in enumerate(dict.fromkeys(names))}


def names_ratings(head: Sequence[str]) -> bool:
    """Return whether names of columns are those of ratings: of a user and an item."""
    return {"user", "item"} <= _rating_columns(head).keys()


def check_stars(text: str) -> None:
    """Refuse ratings that are not from 0 to 5, of which 4 and more are clicks; for imports, as stored logs keep what they are.

    Raises:
        ProblemError: names line and column of the first such rating.
    """
    table = Table(text.encode(), "file", _MOST_COLUMNS)
    columns = _rating_columns(table.head)
    if "rating" not in columns or "label" in columns:
        return
    stars = table.read({columns["rating"]: Numbers()})[columns["rating"]]
    wrong = (stars < 0) | (stars > _MOST_STARS)
    if wrong.any():
        accepted = f"a rating from 0 to {_MOST_STARS:g}: divide others, or give a column label with 0 and 1"
        raise table.error(int(wrong.argmax()), columns["rating"], accepted)


def _rating_columns(head: Sequence[str]) -> dict[str, int]:
    """Return part of a rating -> its column, from 0 on; the first column where several name the same part."""
    columns: dict[str, int] = {}
    for index, cell in enumerate(head):
        word = re.sub(r"[^a-z]", "", cell.lower())
        for name, words in _RATING_NAMES.items():
            if word in words.split():
                columns.setdefault(name, index)
    return columns


def _ratings(text: str) -> list[tuple[float, str, str, int, str]]:
    """Return time, user, item, label, category of each row."""
    table = Table(text.encode(), "file", _MOST_COLUMNS)
    columns = _rating_columns(table.head)
    missing = [name for name in ("user", "item", "timestamp") if name not in columns]
    missing += [] if {"label", "rating"} & columns.keys() else ["label (0 or 1) or rating"]
    if missing:
        accepted = f"a head with the column {missing[0]}"
        reason = "A table has user, item, rating or label, timestamp and perhaps category."
        raise ProblemError("file", ", ".join(table.head)[:200], accepted, table.line, reason=reason)
    mark = "label" if "label" in columns else "rating"
    wanted = {columns[name]: Texts() for name in ("user", "item", "category") if name in columns}
    read = table.read({**wanted, columns[mark]: Numbers(), columns["timestamp"]: Moments(plain=True)})
    marks, times = read[columns[mark]], read[columns["timestamp"]]
    named = {
        name: [read[columns[name]][0][code] for code in read[columns[name]][1]]
        for name in ("user", "item", "category")
        if name in columns
    }
    for name in ("user", "item"):
        if "" in named[name]:
            raise table.error(named[name].index(""), columns[name], "a name")
    if mark == "label" and (wrong := ~np.isin(marks, (0, 1))).any():
        raise table.error(int(wrong.argmax()), columns[mark], "0 or 1")
    clicked = (marks > 0 if mark == "label" else marks >= _CLICKED_FROM).astype(int).tolist()
    kinds = named.get("category", [""] * len(clicked))
    return list(zip(times.tolist(), named["user"], named["item"], clicked, kinds, strict=True))


def _lines(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return the number and cells of the lines that are not empty."""
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, quoting=csv.QUOTE_NONE)
    try:
        return [(number, row) for number, row in enumerate(rows, 1) if any(row)]
    except csv.Error as error:
        raise ProblemError("file", str(error)[:200], "lines of text", rows.line_num) from error


def _label(cell: str, column: str, line: int) -> int:
    if cell.strip() not in ("0", "1"):
        raise ProblemError(column, cell[:80], "0 or 1", line)
    return int(cell)


def _number(cell: str, column: str, line: int) -> float:
    return _finite(cell, column, line) if cell.strip() else 0.0


def _finite(cell: str, column: str, line: int) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value) or abs(value) > 1e15:
        raise ProblemError(column, cell[:80], "a number", line)
    return value


def _category(cell: str, column: str, line: int) -> int:
    word = cell.strip().lower()
    if not word:
        return 0
    if len(word) > 16 or not set(word) <= _HEXADECIMAL:
        raise ProblemError(column, cell[:80], "a category in hexadecimal of at most 16 digits, or nothing", line)
    return 1 + crc32(word.encode()) % (_MOST_ENTRIES - 1)


def _enough(labels: list[int]) -> None:
    if len(labels) < _LEAST_ROWS or len(set(labels)) < 2:
        got = f"{many(len(labels), 'row')}, {sum(labels)} of them clicked"
        raise ProblemError("file", got, f"{_LEAST_ROWS} rows or more, some clicked and some not")


def click_log_words(log: Clicks) -> str:
    """Return the log in a few words, for lists."""
    share = 100 * float(log.labels.mean())
    return f"{counted(len(log.labels))} impressions, {share:.3g} % clicked; {log.dense.shape[1]} numbers, {len(log.tables)} tables"


def click_log_sample() -> dict[str, object]:
    """Return the ratings to show the format: two ratings of three are likes, which says nothing of any people."""
    rows = [f"user{n % 6},item{n % 10},{5 if n % 3 else 1},{1_700_000_000 + 60 * n}" for n in range(_LEAST_ROWS)]
    return {
        "schema": CLICK_LOG_SCHEMA,
        "slug": "click-log",
        "title": "Click log",
        "source": "made up to show the format",
        "format": "ratings",
        "rows": "\n".join(["user,item,rating,timestamp", *rows]),
    }


CLICK_LOG = DocumentFamily(
    "click-log",
    "data",
    "Click log",
    "Click logs",
    load_click_log,
    click_log_words,
    ClickLogDocument,
    sample=click_log_sample,
)
