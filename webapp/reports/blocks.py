"""The text of a report: Markdown, with blocks that stand on a line of their own.

`[[front run=12 x=latency_s y=energy_j]]` is replaced by a picture; so are the other `KINDS`. Within fenced code nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from webapp.comparisons.service import FEWEST, MOST

LONGEST_TEXT = 100_000
MOST_BLOCKS = 40
MOST_ROWS, USUAL_ROWS = 50, 10
_BLOCK = re.compile(r"\[\[\s*(.*?)\s*\]\]\s*")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_COLUMN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,79}")
_DIGITS = 18


@dataclass(frozen=True)
class Kind:
    """The kind of a block with its fields: required names first, then those that may be left out."""

    words: str
    needs: tuple[str, ...]
    takes: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    "front": Kind("The front of a run", ("run",), ("design", "x", "y")),
    "design": Kind("Schedule and metrics of a design", ("run", "design")),
    "designs": Kind("The best designs of a run as a table", ("run",), ("rows",)),
    "comparison": Kind("The fronts of several runs and their differences", ("runs",), ("x", "y")),
    "caveats": Kind("Caveats of runs", (), ("runs",)),
}


@dataclass(frozen=True)
class Text:
    """Markdown between blocks."""

    text: str


@dataclass(frozen=True)
class Block:
    """One block.

    Attributes:
        kind: one of `KINDS`.
        runs: numbers of the runs that it names; none of caveats of all runs of the report.
        design: number of the design looked at; None is the best.
        x, y: columns; "" are the usual ones.
        rows: rows of a table.
        line: line of the text, from 1 on.
    """

    kind: str
    runs: tuple[int, ...] = ()
    design: int | None = None
    x: str = ""
    y: str = ""
    rows: int = USUAL_ROWS
    line: int = 0

    def written(self) -> str:
        """Return the block as it stands in a text."""
        single = "run" in KINDS[self.kind].needs
        runs = ",".join(map(str, self.runs))
        given = {"run" if single else "runs": runs, "design": "" if self.design is None else str(self.design)}
        given |= {"x": self.x, "y": self.y, "rows": "" if self.rows == USUAL_ROWS else str(self.rows)}
        return "[[" + " ".join([self.kind, *(f"{name}={value}" for name, value in given.items() if value)]) + "]]"


Part = Text | Block


def parts_of(text: str) -> list[Part]:
    """Return the text and its blocks in order.

    Raises:
        ProblemError: a block is none of `KINDS`, or says something else of itself than these take; it names the line.
    """
    parts: list[Part] = []
    lines: list[str] = []
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= bool(_FENCE.match(line))
        found = None if fenced else _BLOCK.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        parts += [Text("\n".join(lines)), _block(found[1], number)]
        lines = []
    parts.append(Text("\n".join(lines)))
    blocks = [part for part in parts if isinstance(part, Block)]
    if len(blocks) > MOST_BLOCKS:
        raise ProblemError("text", many(len(blocks), "block"), f"at most {MOST_BLOCKS}")
    return [part for part in parts if isinstance(part, Block) or part.text.strip()]


def runs_in(parts: Iterable[Part]) -> tuple[int, ...]:
    """Return the numbers of all runs that the blocks name, each once, in their order."""
    return tuple(dict.fromkeys(run for part in parts if isinstance(part, Block) for run in part.runs))


def _block(words: str, line: int) -> Block:
    name, *given = words.split() or [""]
    field = f"text, line {line}"
    if name not in KINDS:
        raise ProblemError(field, name, f"a block of the kind {', '.join(KINDS)}")
    kind, values = KINDS[name], {}
    for each in given:
        key, _, value = each.partition("=")
        if key not in (*kind.needs, *kind.takes) or key in values:
            accepted = ", ".join(f"{key}=" for key in (*kind.needs, *kind.takes))
            raise ProblemError(field, each, f"for {name} each of {accepted} once")
        values[key] = value
    missing = [key for key in kind.needs if key not in values]
    if missing:
        raise ProblemError(field, f"[[{words}]]", f"{name} with {' and '.join(f'{key}=' for key in missing)}")
    runs = _runs(field, values.get("run") or values.get("runs"), "run" in kind.needs, name)
    design = _number(field, "design", values["design"], 0) if "design" in values else None
    rows = _number(field, "rows", values["rows"], 1, MOST_ROWS) if "rows" in values else USUAL_ROWS
    x, y = (_column(field, key, values.get(key, "")) for key in "xy")
    return Block(name, runs, design, x, y, rows, line)


def _runs(field: str, value: str | None, single: bool, kind: str) -> tuple[int, ...]:
    if value is None:
        return ()
    found = tuple(dict.fromkeys(_number(field, "run", each, 1) for each in value.split(",")))
    if single and len(found) != 1:
        raise ProblemError(field, f"run={value}", "the number of one run")
    if kind == "comparison" and not FEWEST <= len(found) <= MOST:
        raise ProblemError(field, f"runs={value}", f"{FEWEST} to {MOST} numbers of runs, separated by commas")
    return found


def _number(field: str, name: str, value: str, least: int, most: int | None = None) -> int:
    span = f"a whole number from {least} on" if most is None else f"a whole number from {least} to {most}"
    if not (value.isascii() and value.isdigit() and len(value) <= _DIGITS):
        raise ProblemError(field, f"{name}={value}", span)
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ProblemError(field, f"{name}={value}", span)
    return number


def _column(field: str, name: str, value: str) -> str:
    if value and not _COLUMN.fullmatch(value):
        raise ProblemError(field, f"{name}={value}", "the name of a column")
    return value
