"""Annotations of WFDB records (`.atr` and other endings) in MIT format: which beat is where.

Source: WFDB Applications Guide, `annot(5)`, and the beats of `ecgcodes.h`. An annotation is two bytes, low byte first: ten bits of
samples since the last one, six bits of a code. Codes from 59 on change how those behind them are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from engines.contract.errors import ProblemError

_SKIP, _AUXILIARY = 59, 63  # a long interval follows; so many bytes of text follow
_MODIFIERS = (60, 61, 62)  # number, subtype and channel of the annotation before
# Code -> sign of a beat, as PhysioNet prints it; all other codes speak of rhythm, noise or waves.
BEATS = {
    1: "N", 2: "L", 3: "R", 4: "a", 5: "V", 6: "F", 7: "J", 8: "A", 9: "S", 10: "E", 11: "j", 12: "/", 13: "Q", 25: "B",
    30: "?", 34: "e", 35: "n", 38: "f", 41: "r",
}  # fmt: skip


def read_beats(path: Path) -> list[tuple[int, str]]:
    """Sample, from 0 on, and sign of each beat, in their order.

    Raises:
        ProblemError: there is no such file, it ends within an annotation, or no beat is in it.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ProblemError(f"data.{path.name}", "no such file", "annotations beside each record") from error
    found, sample, place = list[tuple[int, str]](), 0, 0
    while place + 2 <= len(raw):
        word = int.from_bytes(raw[place : place + 2], "little")
        code, interval = word >> 10, word & 0x3FF
        place += 2
        if word == 0:
            break
        if code == _SKIP:
            high, low = (int.from_bytes(raw[at : at + 2], "little") for at in (place, place + 2))
            sample += ((high << 16 | low) ^ 1 << 31) - (1 << 31)  # signed, the high half first
            place += 4
        elif code == _AUXILIARY:
            place += interval + interval % 2
        elif code not in _MODIFIERS:
            sample += interval
            if code in BEATS:
                found.append((sample, BEATS[code]))
    if place > len(raw):
        raise ProblemError(
            f"data.{path.name}", f"{len(raw)} bytes", "annotations in MIT format that do not end within one"
        )
    if not found:
        raise ProblemError(f"data.{path.name}", "no beat", f"annotations of beats: {' '.join(BEATS.values())}")
    return found


def labels_of(beats: Sequence[tuple[int, str]], samples: int) -> tuple[str, ...]:
    """The sign of the nearest beat for each sample; of two that are as near, the earlier."""
    ends = [(first + second) // 2 for (first, _), (second, _) in pairwise(beats)]
    return tuple(beats[bisect_right(ends, sample - 1)][1] for sample in range(samples))
