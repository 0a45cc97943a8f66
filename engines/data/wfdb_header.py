"""Headers of WFDB records (`.hea`): rate, signals with their files, formats and units, segments, comments.

Source: WFDB Applications Guide, `header(5)`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engines.contract.errors import ProblemError
from engines.data.wfdb_formats import FORMATS

DEFAULT_RATE_HZ, DEFAULT_GAIN, DEFAULT_UNIT = 250.0, 200.0, "mV"
NO_FILE = "~"  # of a layout's signals, and of a segment without samples
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_RECORD = re.compile(r"(?P<name>[^\s/]+)(?:/(?P<segments>[0-9]{1,9}))?(?P<rest>(?:\s.*)?)")
_FORMAT = re.compile(
    r"(?P<form>[0-9]{1,9})(?:x(?P<per_frame>[0-9]+))?(?::(?P<skew>[0-9]+))?(?:\+(?P<skipped>[0-9]{1,18}))?"
)
_GAIN = re.compile(rf"(?P<gain>{_NUMBER})(?:\((?P<baseline>{_NUMBER})\))?(?:/(?P<unit>\S+))?")


@dataclass(frozen=True)
class Signal:
    """A signal of a record, as a line of its header describes it.

    Attributes:
        name: description, or "signal 1" and so on.
        file: with the samples; "~" in a layout.
        form: form of the samples, one of `FORMATS`.
        skipped: bytes before the first sample.
        gain: units of the converter in a physical unit.
        calibrated: False where the header has no gain and `gain` is the usual one.
        baseline: value of the converter at 0 of the physical unit.
        unit: physical.
        initial: value of the converter before the first difference.
        checksum: sum of all samples modulo 65,536; 0 where the header says none.
    """

    name: str
    file: str
    form: int
    skipped: int
    gain: float
    calibrated: bool
    baseline: float
    unit: str
    initial: int
    checksum: int


@dataclass(frozen=True)
class Header:
    """The content of a `.hea` file.

    Attributes:
        name: name of the record.
        rate_hz: samples of each signal in a second.
        samples: samples of each signal; 0 where the header does not say.
        signals: signals of the record; none of one in segments.
        segments: name and number of samples of each; a first one of 0 samples is a layout.
        comments: name -> value, of lines "# name: value".
    """

    name: str
    rate_hz: float
    samples: int
    signals: tuple[Signal, ...]
    segments: tuple[tuple[str, int], ...]
    comments: dict[str, str]


def read_header(path: Path) -> Header:
    """Read the header of a record.

    Raises:
        ProblemError: names the line that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ProblemError(
            f"data.{path.name}", error.strerror or "no such file", "a header that can be read"
        ) from error
    said = (line.lstrip("# ").partition(":") for line in text if line.startswith("#") and ":" in line)
    comments = {name.strip(): value.strip() for name, _, value in said}
    lines = [
        _Line(path, number, line.strip()) for number, line in enumerate(text, 1) if line.strip() and line[0] != "#"
    ]
    if not lines:
        raise ProblemError(f"data.{path.name}", "an empty file", "a header of a record")
    found = _RECORD.fullmatch(lines[0].text)
    cells = found["rest"].split() if found else []
    if found is None or not cells:
        raise lines[0].refused("name and number of signals")
    count = lines[0].whole(cells[0], "a number of signals")
    rate = lines[0].number(re.split(r"[/(]", cells[1])[0], "a rate in samples/s") if len(cells) > 1 else DEFAULT_RATE_HZ
    samples = lines[0].whole(cells[2], "a number of samples") if len(cells) > 2 else 0
    if not 0 < rate < 1e9 or count < 1:
        raise lines[0].refused("at least one signal, and a positive rate")
    expected = count if found["segments"] is None else int(found["segments"])
    if not 1 <= expected < len(lines):
        raise ProblemError(f"data.{path.name}", f"{len(lines) - 1} lines of signals", f"{expected} lines of signals")
    if found["segments"] is not None:
        return Header(found["name"], rate, samples, (), tuple(map(_segment, lines[1 : expected + 1])), comments)
    signals = tuple(_signal(line, place) for place, line in enumerate(lines[1 : expected + 1], 1))
    return Header(found["name"], rate, samples, signals, (), comments)


@dataclass(frozen=True)
class _Line:
    """A line of a header, with the errors that name it."""

    path: Path
    number_in_file: int
    text: str

    def refused(self, accepted: str, got: str = "", remedies: Sequence[str] = ()) -> ProblemError:
        place = f"data.{self.path.name}, line {self.number_in_file}"
        return ProblemError(place, got or self.text[:80], accepted, remedies=remedies)

    def whole(self, cell: str, accepted: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,15}", cell) or (value := int(cell)) < 0:
            raise self.refused(accepted, cell[:80])
        return value

    def number(self, cell: str, accepted: str) -> float:
        if not re.fullmatch(_NUMBER, cell) or not math.isfinite(value := float(cell)):
            raise self.refused(accepted, cell[:80])
        return value


def _segment(line: _Line) -> tuple[str, int]:
    cells = line.text.split()
    if len(cells) != 2 or "/" in cells[0]:
        raise line.refused("the name of a segment and its number of samples")
    return cells[0], line.whole(cells[1], "a number of samples")


def _signal(line: _Line, place: int) -> Signal:
    cells = line.text.split(maxsplit=8)
    found = _FORMAT.fullmatch(cells[1]) if len(cells) > 1 else None
    known = found is not None and (int(found["form"]) in FORMATS or cells[0] == NO_FILE)
    if found is None or not known or int(found["per_frame"] or 1) != 1 or int(found["skew"] or 0) != 0:
        accepted = f"a format among {', '.join(map(str, FORMATS))}, with one sample per frame and no skew"
        raise line.refused(accepted, remedies=["Convert the record with xform."])
    gain = _GAIN.fullmatch(cells[2]) if len(cells) > 2 else None
    if len(cells) > 2 and gain is None:
        raise line.refused("a gain such as 200, 200(0) or 200(0)/mV", cells[2][:80])
    zero = line.number(cells[4], "the converter value at zero, a number") if len(cells) > 4 else 0.0
    numbers = [line.number(cell, "a whole number") for cell in cells[5:7]]
    said = line.number(gain["gain"], "a gain") if gain else 0.0
    return Signal(
        name=cells[8].strip() if len(cells) > 8 else f"signal {place}",
        file=cells[0],
        form=int(found["form"]),
        skipped=int(found["skipped"] or 0),
        gain=said or DEFAULT_GAIN,
        calibrated=said != 0,
        baseline=line.number(gain["baseline"], "a baseline") if gain and gain["baseline"] else zero,
        unit=(gain["unit"] if gain else None) or DEFAULT_UNIT,
        initial=int(numbers[0] if numbers else zero),
        checksum=int(numbers[1]) % 65536 if len(numbers) > 1 else 0,
    )
