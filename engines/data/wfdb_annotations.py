"""Annotations of WFDB records (`.atr` and other endings) in MIT format: which beat is where.

Source: WFDB Applications Guide, `annot(5)`, and the beats of `ecgcodes.h`. An annotation is two bytes, low byte first: ten bits of
samples since the last one, six bits of a code. Codes from 59 on change how those behind them are read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from engines.contract.errors import ProblemError

_SKIP, _AUXILIARY = 59, 63  # a long interval follows; so many bytes of text follow
_NOTE = 22  # an annotation whose text says something
_MODIFIERS = (60, 61, 62)  # number, subtype and channel of the annotation before
# Code -> sign of a beat, as PhysioNet prints it; all other codes speak of rhythm, noise or waves.
BEATS = {
    1: "N", 2: "L", 3: "R", 4: "a", 5: "V", 6: "F", 7: "J", 8: "A", 9: "S", 10: "E", 11: "j", 12: "/", 13: "Q", 25: "B",
    30: "?", 34: "e", 35: "n", 38: "f", 41: "r",
}  # fmt: skip


def read_beats(path: Path, rate_hz: float) -> list[tuple[float, str]]:
    """Return the sample (from 0 on) and the sign of each beat, in order.

    Args:
        path: path of the annotations.
        rate_hz: of the record. Annotations with a clock of their own say so by a text "## time resolution: ..." (ticks/s).

    Raises:
        ProblemError: there is no such file, it ends within an annotation, goes back in time, or no beat is in it.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ProblemError(f"data.{path.name}", "no such file", "an annotation file next to each record") from error
    found, ticks_hz = _decoded(path, raw)
    if not found:
        raise ProblemError(f"data.{path.name}", "no beat", f"annotations of beats, such as {' '.join(BEATS.values())}")
    back = next((later for (sooner, _), (later, _) in pairwise(found) if later < sooner), None)
    if found[0][0] < 0 or back is not None:
        raise ProblemError(f"data.{path.name}", f"a beat at {min(found[0][0], back or 0)}", "beats in order of time")
    scale = rate_hz / ticks_hz if ticks_hz else 1.0
    return [(tick * scale, sign) for tick, sign in found]


def _decoded(path: Path, raw: bytes) -> tuple[list[tuple[int, str]], float]:
    """Tick and sign of each beat, and ticks in a second; 0 where they are samples."""
    found, tick, place, last, ticks_hz = list[tuple[int, str]](), 0, 0, 0, 0.0
    while place + 2 <= len(raw):
        word = int.from_bytes(raw[place : place + 2], "little")
        code, interval = word >> 10, word & 0x3FF
        place += 2
        if word == 0:
            break
        if code == _SKIP:
            high, low = (int.from_bytes(raw[at : at + 2], "little") for at in (place, place + 2))
            tick += ((high << 16 | low) ^ 1 << 31) - (1 << 31)  # signed, the high half first
            place += 4
        elif code == _AUXILIARY:
            if last == _NOTE and not found:
                ticks_hz = ticks_hz or _resolution(path, raw[place : place + interval])
            place += interval + interval % 2
        elif code not in _MODIFIERS:
            tick, last = tick + interval, code
            if code in BEATS:
                found.append((tick, BEATS[code]))
    if place > len(raw):
        accepted = "annotations in MIT format that do not end within one"
        raise ProblemError(f"data.{path.name}", f"{len(raw)} bytes", accepted)
    return found, ticks_hz


def _resolution(path: Path, text: bytes) -> float:
    """Return the ticks in a second that a note says; 0 where it speaks of something else."""
    said = re.match(rb"## time resolution:\s*([^\s\0]*)", text)
    if said is None:
        return 0.0
    if not re.fullmatch(rb"[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?", said[1]) or not 0 < (ticks_hz := float(said[1])) < 1e12:
        raise ProblemError(f"data.{path.name}", said[0].decode(errors="replace"), "a time resolution in ticks/s")
    return ticks_hz


def labels_of(beats: Sequence[tuple[float, str]], samples: int) -> tuple[str, ...]:
    """Return the sign of the nearest beat for each sample; of two that are as near, the earlier."""
    ends = [(first + second) / 2 for (first, _), (second, _) in pairwise(beats)]
    return tuple(beats[bisect_left(ends, sample)][1] for sample in range(samples))
