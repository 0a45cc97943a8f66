"""Recordings in the WFDB format of PhysioNet (PTB and many others): a header `.hea` with its signal files, or with segments.

Columns are the signals by their names, in the order and the units of the first record. The label is what a comment line says, as in
"# Reason for admission: Myocardial infarction", or the beat that a file of annotations has there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import IntArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.data.data_set import DataSet
from engines.data.names import first_names
from engines.data.signals import Recording, windows_of
from engines.data.wfdb_annotations import labels_of, read_beats
from engines.data.wfdb_formats import MISSING, unpack_samples
from engines.data.wfdb_header import NO_FILE, Header, Signal, read_header
from hardware.slugs import slug_of

_VOLTS = {
    "V": 1.0,
    "v": 1.0,
    "mV": 1e-3,
    "mv": 1e-3,
    "uV": 1e-6,
    "uv": 1e-6,
    "\u00b5V": 1e-6,
    "\u03bcV": 1e-6,
    "nV": 1e-9,
}
Leads = tuple[Signal, ...]


def read_record(
    path: Path, label: str, rate_hz: float | None = None, annotations: str = "", leads: Leads | None = None
) -> Recording:
    """Read the signals of a record in their physical units, every sample with the record's label or that of the nearest beat.

    Args:
        path: path of the header.
        label: name of the comment that says the label.
        rate_hz: required rate of records; None for any.
        annotations: ending of the file of beats next to the header, as in "atr"; empty: the comment labels the record.
        leads: whose names, order and units the columns have; those of the record by default.

    Raises:
        ProblemError: another rate, other signals or units, a comment or a file that is not there, a gap, a file that is too short
            or has another checksum.
    """
    header = read_header(path)
    if rate_hz is not None and header.rate_hz != rate_hz:
        raise ProblemError(
            f"data.{path.name}", f"{header.rate_hz:g} samples/s", f"{rate_hz:g} samples/s, as the others have"
        )
    if not annotations and label not in header.comments:
        raise ProblemError(f"data.{path.name}", sorted(header.comments), f"a comment line such as '# {label}: ...'")
    leads = leads or leads_of(path, header)
    values = _values(path, header, leads)
    if annotations:
        labels = _beat_labels(path.with_suffix(f".{annotations}"), header.rate_hz, len(values))
    else:
        labels = (header.comments[label],) * len(values)
    return Recording(header.name, values, labels, tuple(f"{lead.name} [{lead.unit}]" for lead in leads))


def read_records(paths: Sequence[Path], label: str, annotations: str = "") -> tuple[list[Recording], float]:
    """Return records of one rate and the same signals, and that rate in samples/s.

    Segments of other records among `paths` are read as part of these.

    Raises:
        ProblemError: as `read_record`; no header.
    """
    paths = _whole_records(paths)
    first = read_header(paths[0])
    leads = leads_of(paths[0], first)
    return [read_record(path, label, first.rate_hz, annotations, leads) for path in paths], first.rate_hz


def read_wfdb(folder: Path, label: str, window: int, step: int, name: str = "", annotations: str = "") -> DataSet:
    """Read windows of all records of a folder and its folders.

    Args:
        folder: with `.hea` files and the signals next to them.
        label: name of the comment that says what a record shows.
        window: samples of a window.
        step: samples from one window to the next.
        name: name of the data set; that of the folder by default.
        annotations: ending of files of beats, which then are the labels.

    Raises:
        ProblemError: no record, or what `read_record` and `windows_of` refuse.
    """
    paths = sorted(folder.rglob("*.hea"))
    recordings, rate = read_records(paths, label, annotations)
    slug = name or slug_of(folder.name, "signals")
    data = windows_of(recordings, window, step, slug, folder.name, f"WFDB records of {folder.name}, {rate:g} samples/s")
    return dataclasses.replace(data, notes=(*data.notes, *_notes(paths)))


def leads_of(path: Path, header: Header) -> Leads:
    """Return the signals of a record, those of its layout or first segment where it has segments.

    Raises:
        ProblemError: two signals have one name.
    """
    if header.segments:
        named = [segment for segment, _ in header.segments if segment != NO_FILE]
        if not named:
            raise ProblemError(f"data.{path.name}", "no segment with samples", "a segment with signals")
        path, header = _segment(path, named[0])
    keys = [_key(signal) for signal in header.signals]
    twice = sorted({signal.name for signal, key in zip(header.signals, keys, strict=True) if keys.count(key) > 1})
    if twice:
        ways = ["Rename the signals."]
        accepted = "signals with different names"
        raise ProblemError(f"data.{path.name}", f"several signals {first_names(twice)}", accepted, remedies=ways)
    return header.signals


def _whole_records(paths: Sequence[Path]) -> list[Path]:
    """Return the headers that are no segment of another record."""
    segments = {path.with_name(f"{segment}.hea") for path in paths for segment, samples in read_header(path).segments}
    found = [path for path in paths if path not in segments]
    if not found:
        raise ProblemError("data.path", "no header", "at least one .hea file")
    return found


def _segment(path: Path, name: str) -> tuple[Path, Header]:
    """Return a segment of a record, which stands next to it."""
    own = path.with_name(f"{name}.hea")
    header = read_header(own)
    if header.segments:
        raise ProblemError(f"data.{own.name}", "a segment in segments", "a segment with signals")
    return own, header


def _values(path: Path, header: Header, leads: Leads) -> npt.NDArray[np.float32]:
    """Return the values in the units of the leads, shape `samples x leads`."""
    if not header.segments:
        return _columns(path, header, leads)
    parts, total = [], sum(samples for _, samples in header.segments)
    for name, samples in header.segments:
        if name == NO_FILE and samples:
            got = f"a gap of {counted(samples)} samples"
            ways = ["Import the segments one by one."]
            raise ProblemError(f"data.{path.name}", got, "segments without gaps between them", remedies=ways)
        if not samples:
            continue
        own, part = _segment(path, name)
        if part.rate_hz != header.rate_hz or part.samples not in (0, samples):
            got = f"{part.rate_hz:g} samples/s, {counted(part.samples)} samples"
            accepted = f"{header.rate_hz:g} samples/s, {counted(samples)} samples, as {path.name} has"
            raise ProblemError(f"data.{own.name}", got, accepted)
        parts.append(_columns(own, dataclasses.replace(part, samples=samples), leads))
    if not parts or header.samples not in (0, total):
        raise ProblemError(
            f"data.{path.name}", f"{counted(total)} samples in segments", f"{counted(header.samples)} samples"
        )
    return np.concatenate(parts)


def _columns(path: Path, header: Header, leads: Leads) -> npt.NDArray[np.float32]:
    """Return the values of one header in the order and the units of the leads."""
    own = leads_of(path, header)
    places = {_key(signal): place for place, signal in enumerate(own)}
    lacking = [lead.name for lead in leads if _key(lead) not in places]
    extra = [signal.name for signal in own if _key(signal) not in {_key(lead) for lead in leads}]
    if lacking or extra:
        got = "; ".join(
            words
            for words in (lacking and f"no {first_names(lacking)}", extra and f"also {first_names(extra)}")
            if words
        )
        accepted = f"the signals {first_names([lead.name for lead in leads])}, as the first record has"
        raise ProblemError(f"data.{path.name}", got, accepted, remedies=["Remove other records."])
    order = [places[_key(lead)] for lead in leads]
    factors = [_factor(path, own[place], lead) for place, lead in zip(order, leads, strict=True)]
    values = _converter_values(path, header)[:, order]
    with np.errstate(over="ignore"):
        physical = (values - [own[place].baseline for place in order]) / [own[place].gain for place in order] * factors
        found = physical.astype(np.float32)
    if not np.isfinite(found).all():
        raise ProblemError(
            f"data.{path.name}", "values beyond 32-bit numbers", "gains and baselines that give physical values"
        )
    return found


def _factor(path: Path, signal: Signal, lead: Signal) -> float:
    """Return the factor from the unit of a signal to that of a lead."""
    if signal.calibrated != lead.calibrated and lead.file != NO_FILE:  # a layout has no samples to calibrate
        got = f"{signal.name} {'with' if signal.calibrated else 'without'} a gain"
        raise ProblemError(
            f"data.{path.name}", got, "gains in all records or in none", reason="A gain of 0 means uncalibrated."
        )
    if signal.unit == lead.unit:
        return 1.0
    if signal.unit not in _VOLTS or lead.unit not in _VOLTS:
        raise ProblemError(
            f"data.{path.name}",
            f"{signal.name} in {signal.unit}",
            f"{lead.name} in {lead.unit}, as in the first record",
        )
    return _VOLTS[signal.unit] / _VOLTS[lead.unit]


def _converter_values(path: Path, header: Header) -> IntArray:
    """Return the values of the converter, shape `samples x signals`, of one file or several."""
    files: dict[str, list[int]] = {}
    for place, signal in enumerate(header.signals):
        files.setdefault(signal.file, []).append(place)
    parts = [
        _file_values(path, header, name, [header.signals[place] for place in places]) for name, places in files.items()
    ]
    if len({len(part) for part in parts}) > 1:
        raise ProblemError(
            f"data.{path.name}", f"files of {sorted({len(part) for part in parts})} samples", "files of one length"
        )
    order = np.argsort([place for places in files.values() for place in places], kind="stable")
    return np.concatenate(parts, axis=1)[:, order]


def _file_values(path: Path, header: Header, name: str, signals: Sequence[Signal]) -> IntArray:
    """Return the samples of all signals of one file."""
    form, skipped, place = signals[0].form, signals[0].skipped, f"data.{path.name}, file {name}"
    if name == NO_FILE or any((each.form, each.skipped) != (form, skipped) for each in signals):
        raise ProblemError(place, "no file, or several formats", "signals in one format in each file")
    try:
        raw = (path.parent / Path(name).name).read_bytes()[skipped:]
    except OSError as error:
        raise ProblemError(place, error.strerror or "no such file", "a signal file next to the header") from error
    values = unpack_samples(raw, form, len(signals), header.samples, place, [each.initial for each in signals])
    gaps = np.argwhere(values == MISSING.get(form, np.iinfo(np.int64).min))
    if len(gaps):
        where = f"sample {gaps[0, 0] + 1} of signal {signals[gaps[0, 1]].name!r}"
        ways = ["Cut the record at the gaps."]
        accepted = "signals without gaps"
        raise ProblemError(place, f"{counted(len(gaps))} gaps, the first at {where}", accepted, remedies=ways)
    for signal, total in zip(signals, values.sum(axis=0) % 65536, strict=True):
        if header.samples and signal.checksum not in (0, total):
            accepted = f"{signal.checksum}, the checksum of {signal.name} in the header (0 for none)"
            raise ProblemError(place, int(total), accepted)
    return values


def _beat_labels(path: Path, rate_hz: float, samples: int) -> tuple[str, ...]:
    beats = read_beats(path, rate_hz)
    if beats[-1][0] >= samples:
        got = f"a beat at sample {beats[-1][0]:.0f}"
        accepted = f"beats within the {counted(samples)} samples of the record"
        ways = ["Add a note '## time resolution: ...' where the clock is another."]
        raise ProblemError(f"data.{path.name}", got, accepted, remedies=ways)
    return labels_of(beats, samples)


def _notes(paths: Iterable[Path]) -> list[str]:
    """Return the sentences about gains that are assumed and columns that were brought to those of the first record."""
    headers = [(path.stem, header) for path in paths if (header := read_header(path)).signals]
    uncalibrated = [name for name, header in headers if not all(signal.calibrated for signal in header.signals)]
    first = [(_key(signal), signal.unit) for signal in headers[0][1].signals] if headers else []
    changed = [name for name, header in headers if [(_key(each), each.unit) for each in header.signals] != first]
    notes = []
    if uncalibrated:
        notes.append(f"Uncalibrated records, read with the default gain of 200: {first_names(uncalibrated)}.")
    if changed:
        notes.append(
            f"Signals in another order or unit were converted to those of {headers[0][0]}: {first_names(changed)}."
        )
    return notes


def _key(signal: Signal) -> str:
    return signal.name.casefold()
