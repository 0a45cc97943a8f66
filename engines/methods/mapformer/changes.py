"""Timed changes written as text: networks of the mix that start or stop, and power limits.

    0: +1 +2 +3; 20: +4 -1; 40: 10 W; 60: end

Networks are numbers in the mix, from 1. "no W" removes the power limit. Without an end, the trace ends ten seconds after the last
change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engines.contract.engine import require
from engines.contract.errors import ProblemError

FIELD = "params.changes"
EXAMPLE = "0: +1 +2; 20: +3 -1; 40: 10 W; 60: end"
MOST_CHANGES = 20
_LONGEST_S = 86_400.0
_REST_S = 10.0
_ITEM = re.compile(r"([+-])\s*(\d+)|(\d+(?:\.\d+)?|no)\s*W\b|(end)\b")


@dataclass(frozen=True)
class Change:
    """The state from `time_s` on: running networks and power limit.

    Attributes:
        present: numbers of the running networks, from 0, ascending.
        power_limit_w: power limit; infinite without one.
        words: description of the change.
    """

    time_s: float
    present: tuple[int, ...]
    power_limit_w: float
    words: str


@dataclass(frozen=True)
class Changes:
    """All changes in order of time, the first at 0, and the end of the trace in s."""

    each: tuple[Change, ...]
    end_s: float


def changes_of(text: str, names: tuple[str, ...], power_limit_w: float) -> Changes:
    """Return the changes that a text describes.

    Args:
        text: changes in the syntax of the module docstring.
        names: names of the networks of the mix.
        power_limit_w: power limit until the first change of it.

    Raises:
        ProblemError: the text has a wrong syntax, or a change is impossible, such as stopping an absent network.
    """
    found: list[Change] = []
    present: set[int] = set()
    end_s, limit_w = 0.0, power_limit_w
    for part in (each.strip() for each in re.split(r"[;\n]", text)):
        if not part:
            continue
        time_s, rest = _timed(part)
        require(not end_s, FIELD, part, "no change after the end")
        before = found[-1].time_s if found else -1.0
        require(
            time_s > before,
            FIELD,
            part,
            f"a time after {before:g} s, the time of the change before" if found else f"as in {EXAMPLE}",
        )
        if rest == "end":
            end_s = time_s
            continue
        present, limit_w, words = _changed(rest, present, limit_w, names)
        require(bool(present), FIELD, part, "changes that leave at least one network on the board")
        found.append(Change(time_s, tuple(sorted(present)), limit_w, words))
    require(bool(found) and found[0].time_s == 0, FIELD, text, f"networks from 0 s on, as in {EXAMPLE}")
    require(len(found) <= MOST_CHANGES, FIELD, f"{len(found)} changes", f"at most {MOST_CHANGES}")
    return Changes(tuple(found), end_s or found[-1].time_s + _REST_S)


def _timed(part: str) -> tuple[float, str]:
    head, colon, rest = part.partition(":")
    try:
        time_s = float(head.strip().removesuffix("s"))
    except ValueError:
        time_s = -1.0
    if not colon or not 0 <= time_s <= _LONGEST_S:
        raise ProblemError(FIELD, part, f"a time from 0 to {_LONGEST_S:g} s, a colon and the change, as in {EXAMPLE}")
    return time_s, rest.strip()


def _changed(text: str, before: set[int], limit_w: float, names: tuple[str, ...]) -> tuple[set[int], float, str]:
    present, words, at = set(before), [], 0
    while at < len(text):
        item = _ITEM.match(text, at)
        if item is None or item[4]:
            raise ProblemError(FIELD, text, f"+ or - with the number of a network, or a limit in W, as in {EXAMPLE}")
        if item[3]:
            limit_w = float("inf") if item[3] == "no" else float(item[3])
            require(limit_w > 0, FIELD, text, "a power limit above 0 W")
            words.append("no power limit" if item[3] == "no" else f"{limit_w:g} W")
        else:
            number = int(item[2]) - 1
            require(0 <= number < len(names), FIELD, item[0], f"a network from 1 to {len(names)} of the mix")
            comes = item[1] == "+"
            require(
                (number in present) != comes,
                FIELD,
                item[0],
                "- with a network on the board, or + with another one",
            )
            (present.add if comes else present.remove)(number)
            words.append(f"{names[number]} {'comes' if comes else 'goes'}")
        at = item.end()
        while at < len(text) and text[at] in " ,":
            at += 1
    return present, limit_w, ", ".join(words)
