"""Recordings in the WFDB format of PhysioNet (PTB and many others): a header `.hea`, signals `.dat` of formats 16 and 212.

Source: WFDB Applications Guide, `header(5)` and `signal(5)`. Read are single-segment records whose signals stand in one file with
one sample per frame; anything else is refused. The label is what a comment line says, as in
"# Reason for admission: Myocardial infarction", or the beat that a file of annotations has there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines.contract.errors import ProblemError
from engines.data.data_set import DataSet
from engines.data.signals import Recording, windows_of
from engines.data.wfdb_annotations import labels_of, read_beats

FORMATS = {16: "16 bits of a sample, low byte first", 212: "12 bits of a sample, two in three bytes"}
_INVALID = {16: -32768, 212: -2048}  # the value that says: no sample


@dataclass(frozen=True)
class Header:
    """What a `.hea` file says.

    Attributes:
        rate_hz: samples of each signal in a second.
        samples: of each signal; 0 where the header does not say.
        file: name of the file of the signals.
        form: 16 or 212.
        skipped: bytes before the first sample.
        gains: units of the converter in a physical unit, of each signal.
        baselines: value of the converter at 0 of the physical unit.
        names: of the signals.
        comments: name -> value, of lines "# name: value".
    """

    name: str
    rate_hz: float
    samples: int
    file: str
    form: int
    skipped: int
    gains: tuple[float, ...]
    baselines: tuple[float, ...]
    names: tuple[str, ...]
    comments: dict[str, str]


def read_header(path: Path) -> Header:
    """The header of a record.

    Raises:
        ProblemError: names the line that cannot be read.
    """
    text = path.read_text(encoding="utf-8", errors="replace").splitlines()
    lines = [(number, line.strip()) for number, line in enumerate(text, 1) if line.strip() and not line.startswith("#")]
    said = (line.lstrip("# ").partition(":") for line in text if line.startswith("#") and ":" in line)
    comments = {name.strip(): value.strip() for name, _, value in said}
    if not lines:
        raise ProblemError(f"data.{path.name}", "an empty file", "a header of a record")
    first = lines[0][1].split()
    if len(first) < 2 or "/" in first[0] or not first[1].isdigit():
        raise ProblemError(
            f"data.{path.name}, line {lines[0][0]}", lines[0][1][:80], "name and number of signals of a single segment"
        )
    count = int(first[1])
    rate = float(re.split(r"[/(]", first[2])[0]) if len(first) > 2 else 250.0
    if count < 1 or len(lines) <= count or not rate > 0:
        raise ProblemError(
            f"data.{path.name}", f"{len(lines) - 1} lines of signals", f"{count} lines of signals and a positive rate"
        )
    signals = [_signal(path, number, line) for number, line in lines[1 : count + 1]]
    if len({each[:3] for each in signals}) > 1:
        raise ProblemError(f"data.{path.name}", "several files or formats", "all signals in one file of one format")
    file, form, skipped = signals[0][:3]
    samples = int(first[3]) if len(first) > 3 else 0
    gains, baselines, names = zip(*(each[3:] for each in signals), strict=True)
    return Header(first[0], rate, samples, file, form, skipped, gains, baselines, names, comments)


def read_record(path: Path, label: str, rate_hz: float | None = None, annotations: str = "") -> Recording:
    """Signals of a record in their physical units, every sample with the record's label or that of the nearest beat.

    Args:
        path: of the header.
        label: name of the comment that says the label.
        rate_hz: that records must have; None: any.
        annotations: ending of the file of beats beside the header, as in "atr"; empty: the comment labels the record.

    Raises:
        ProblemError: another rate, a comment or a file of beats that is not there, a gap, a file that is too short.
    """
    header = read_header(path)
    if rate_hz is not None and header.rate_hz != rate_hz:
        raise ProblemError(
            f"data.{path.name}", f"{header.rate_hz:g} samples/s", f"{rate_hz:g} samples/s, as the others have"
        )
    if not annotations and label not in header.comments:
        raise ProblemError(f"data.{path.name}", sorted(header.comments), f"a comment line '# {label}: ...'")
    raw = (path.parent / Path(header.file).name).read_bytes()[header.skipped :]
    values = unpacked(raw, header.form, len(header.gains), header.samples, path.name)
    gaps = np.argwhere(values == _INVALID[header.form])
    if len(gaps):
        where = f"sample {gaps[0, 0] + 1} of signal {header.names[gaps[0, 1]]!r}"
        raise ProblemError(f"data.{path.name}", f"{len(gaps)} gaps, the first at {where}", "signals without gaps")
    physical = (values - np.array(header.baselines)) / np.array(header.gains)
    if annotations:
        labels = labels_of(read_beats(path.with_suffix(f".{annotations}")), len(values))
    else:
        labels = (header.comments[label],) * len(values)
    return Recording(header.name, physical.astype(np.float32), labels, header.names)


def read_records(paths: Sequence[Path], label: str, annotations: str = "") -> tuple[list[Recording], float]:
    """Records of one rate, and that rate in samples/s; raises ProblemError as `read_record` does."""
    if not paths:
        raise ProblemError("data.path", "no header", "at least one .hea file")
    rate = read_header(paths[0]).rate_hz
    return [read_record(path, label, rate, annotations) for path in paths], rate


def read_wfdb(folder: Path, label: str, window: int, step: int, name: str = "", annotations: str = "") -> DataSet:
    """Windows of all records of a folder and its folders.

    Args:
        folder: with `.hea` files and the signals beside them.
        label: name of the comment that says what a record shows.
        window: samples of a window.
        step: samples from one window to the next.
        name: of the data set; that of the folder by default.
        annotations: ending of files of beats, which then are the labels.

    Raises:
        ProblemError: no record, or what `read_record` and `windows_of` refuse.
    """
    recordings, rate = read_records(sorted(folder.rglob("*.hea")), label, annotations)
    slug = name or folder.name.lower().replace("_", "-")
    return windows_of(recordings, window, step, slug, folder.name, f"WFDB records of {folder.name}, {rate:g} samples/s")


def unpacked(raw: bytes, form: int, signals: int, samples: int, place: str) -> npt.NDArray[np.int64]:
    """Values of the converter, shape `samples x signals`.

    Args:
        raw: of the file.
        form: 16 or 212.
        signals: that take turns.
        samples: of each; 0: as many as there are.
        place: for errors.

    Raises:
        ProblemError: fewer samples than were said.
    """
    if form == 16:
        flat = np.frombuffer(raw[: len(raw) // 2 * 2], dtype="<i2").astype(np.int64)
    else:
        data = np.frombuffer(raw[: len(raw) // 3 * 3], dtype=np.uint8).astype(np.int64).reshape(-1, 3)
        both = np.stack([data[:, 0] | (data[:, 1] & 0x0F) << 8, data[:, 2] | (data[:, 1] & 0xF0) << 4], axis=1)
        flat = np.where(both >= 2048, both - 4096, both).ravel()
    count = samples or len(flat) // signals
    if count < 1 or len(flat) < count * signals:
        raise ProblemError(
            f"data.{place}",
            f"{len(flat) // signals} samples in the file",
            f"{max(1, count)} samples of {signals} signals",
        )
    return flat[: count * signals].reshape(count, signals)


def _signal(path: Path, number: int, line: str) -> tuple[str, int, int, float, float, str]:
    """File, format, bytes before the first sample, gain, baseline, name."""
    cells = line.split(maxsplit=8)
    place = f"data.{path.name}, line {number}"
    found = re.fullmatch(r"(\d+)(x\d+)?(:\d+)?(\+\d+)?", cells[1]) if len(cells) > 1 else None
    if found is None or int(found[1]) not in FORMATS or found[2] not in (None, "x1") or found[3] not in (None, ":0"):
        accepted = ", or ".join(f"format {form} ({words})" for form, words in FORMATS.items())
        raise ProblemError(place, line[:80], f"{accepted}, with one sample per frame and no skew")
    gain = re.match(r"([\d.eE+-]+)(?:\((-?\d+)\))?", cells[2]) if len(cells) > 2 else None
    zero = float(cells[4]) if len(cells) > 4 else 0.0
    scale = float(gain[1]) if gain else 200.0
    baseline = float(gain[2]) if gain and gain[2] else zero
    name = cells[8] if len(cells) > 8 else f"signal {number}"
    return cells[0], int(found[1]), int(found[4] or 0), scale or 200.0, baseline, name
