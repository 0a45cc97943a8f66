"""Which results the rows of a network read, said by rules over their names.

Networks are listed in the order in which they run, and their names say where in the network a row stands (`layer3.0.conv2` lies in
`layer3.0`). A rule is a pattern of names and what such rows read. A row without a rule reads the row before it.

What a row reads is written as a place:

- `""`: the row before;
- `"="`: the network's input;
- `"layer3.0"`: the newest row before this one that lies there (a pattern too);
- `"<layer3.0"`: what the first row there reads, which is the input of that part;
- `"a|b"`: the first of these that there is. `{0}`, `{1}` stand for the groups of the rule's own pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engines.workloads.network import INPUT

Row = dict[str, Any]
Rules = Sequence[tuple[str, tuple[str, ...]]]
Reads = list[int]


def reads_by_rules(names: Sequence[str], rules: Rules) -> list[Reads]:
    """Return the numbers of the rows that each row reads, ascending, `INPUT` for the network's input next to them.

    Empty: the input alone.

    Args:
        names: names of the rows, in order; what follows a space is a note that patterns may match too.
        rules: the first one whose pattern matches a name counts.

    Raises:
        ValueError: a rule names a place in which no row lies.
    """
    compiled = [(re.compile(f"(?:{pattern})(?: .*)?"), places) for pattern, places in rules]
    found: list[Reads] = []
    for number, name in enumerate(names):
        matches = ((pattern.fullmatch(name), places) for pattern, places in compiled)
        match, places = next(((match, places) for match, places in matches if match), (None, ("",)))
        groups = [re.escape(group or "") for group in match.groups()] if match else []
        sources = {row for place in places for row in _rows_at(place.format(*groups), names, number, found)}
        found.append([] if sources == {INPUT} else sorted(sources))
    return found


def with_reads(rows: Sequence[Row], reads: Sequence[Reads]) -> list[Row]:
    """Return the rows of a document with what they read, where that is not the row before alone; the first reads the input."""
    found = []
    for number, (row, sources) in enumerate(zip(rows, reads, strict=True)):
        plain = {key: value for key, value in row.items() if key != "reads"}
        found.append(plain if number and sources == [number - 1] else {**plain, "reads": list(sources)})
    return found


def with_rules(rows: Sequence[Row], rules: Rules) -> list[Row]:
    """Return the rows of a document with what they read by rules over their names."""
    return with_reads(rows, reads_by_rules([row["name"] for row in rows], rules))


@lru_cache(maxsize=1024)
def _pattern(place: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{place})(?:[.:].*)?(?: .*)?")


def _rows_at(place: str, names: Sequence[str], number: int, reads: Sequence[Reads]) -> Reads:
    """Return the rows at a place, seen from row `number`."""
    if place == "=":
        return [INPUT]
    if not place:
        return [number - 1]  # before the first row is the input
    for choice in place.split("|"):
        entry = choice.startswith("<")
        lies_there = _pattern(choice.removeprefix("<")).fullmatch
        at = next((at for at in range(number - 1 + entry, -1, -1) if lies_there(names[at])), None)
        if at is None:
            continue
        if not entry:
            return [at]
        while at and lies_there(names[at - 1]):
            at -= 1
        return (reads[at] or [INPUT]) if at < number else [number - 1]
    raise ValueError(f"{names[number]}: no row before it lies at {place}")
