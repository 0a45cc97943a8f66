"""A measured recording laid over a simulated trace, with how far the two are apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.results import Note, Result, Series, Table, TableColumn, Trace
from engines.recordings.recording import Recording
from hardware.environment.summary import duration_words

# A measured column (its base unit) fits a series of a trace in this unit; the factor turns one into the other.
_FITTING = {
    "share": ("%", 100.0),
    "W": ("W", 1.0),
    "J": ("J", 1.0),
    "Hz": ("Hz", 1.0),
    "V": ("V", 1.0),
    "A": ("A", 1.0),
}
# Means further apart than this are more likely a wrong unit than a wrong model.
_UNLIKELY = 100.0


@dataclass(frozen=True)
class Overlap:
    """How far a simulated series is from the measured one, over the times that both have.

    Attributes:
        series: title of the simulated one.
        column: the measured one.
        unit: unit of all figures.
        start_s, end_s: the times that both have.
        points: measured ones among them.
        rmse: root mean square of simulated - measured.
        mean_error: mean of simulated - measured.
        largest_error: largest distance.
        measured_mean: mean of what was measured.
    """

    series: str
    column: str
    unit: str
    start_s: float
    end_s: float
    points: int
    rmse: float
    mean_error: float
    largest_error: float
    measured_mean: float

    @property
    def unlikely(self) -> bool:
        """Whether the means are so far apart that a unit is probably wrong."""
        simulated = self.measured_mean + self.mean_error
        low, high = sorted((abs(simulated), abs(self.measured_mean)))
        return high > 0 and (low == 0 or high / low > _UNLIKELY)


def overlay(trace: Trace, recording: Recording) -> tuple[Trace, tuple[Result, ...]]:
    """Return the trace with every measured column that fits one of its series by unit, a table of errors, and remarks.

    The first track of the recording counts, its first point at the begin of the trace. Where nothing fits the trace is unchanged
    and a remark says which units would.
    """
    track = recording.tracks[0]
    times = track.times_s - track.times_s[0]
    drawn: list[Series] = []
    found: list[Overlap] = []
    for name, values in track.columns.items():
        unit, factor = _FITTING.get(recording.units[name], ("", 1.0))
        simulated = next((each for each in trace.series if each.unit == unit), None)
        if simulated is None:
            continue
        measured = values * factor
        inside = np.where(
            (trace.time_s >= 0) & (trace.time_s <= times[-1]), np.interp(trace.time_s, times, measured), np.nan
        )
        drawn.append(Series(f"Measured {name.replace('_', ' ')}", inside, unit))
        overlap = _overlap(trace, simulated, name, times, measured)
        if overlap is not None:
            found.append(overlap)
    if not drawn:
        units = ", ".join(sorted({each.unit for each in trace.series if each.unit}))
        text = (
            f"No column of {recording.title} has the unit of a series of this trace ({units}); nothing is laid over it."
        )
        return trace, (Note(f"{trace.name}-measured", "Measured", text, "warning", belongs_to=trace.name),)
    return replace(trace, series=(*trace.series, *drawn)), (
        _table(trace, recording, found),
        *_remarks(trace, recording, found),
    )


def _overlap(trace: Trace, simulated: Series, column: str, times: FloatArray, measured: FloatArray) -> Overlap | None:
    last = min(float(times[-1]), float(trace.time_s[-1]))
    common = times <= last
    if common.sum() < 2:
        return None
    error = np.interp(times[common], trace.time_s, simulated.y) - measured[common]
    return Overlap(
        series=simulated.title,
        column=column,
        unit=simulated.unit,
        start_s=0.0,
        end_s=last,
        points=int(common.sum()),
        rmse=float(np.sqrt(np.mean(error**2))),
        mean_error=float(error.mean()),
        largest_error=float(np.abs(error).max()),
        measured_mean=float(measured[common].mean()),
    )


def _table(trace: Trace, recording: Recording, found: list[Overlap]) -> Table:
    def values(name: str) -> FloatArray:
        return np.array([getattr(each, name) for each in found], np.float64)

    return Table(
        f"{trace.name}-errors",
        f"Simulated against {recording.title}",
        (
            TableColumn("Measured", tuple(each.column.replace("_", " ") for each in found)),
            TableColumn("Simulated", tuple(each.series for each in found)),
            TableColumn("Unit", tuple(each.unit for each in found), row_units=True),
            TableColumn("RMSE", values("rmse")),
            TableColumn("Mean error", values("mean_error")),
            TableColumn("Largest error", values("largest_error")),
            TableColumn("Mean measured", values("measured_mean")),
            # As words: the unit of a row is not that of these.
            TableColumn("Points", tuple(str(each.points) for each in found)),
            TableColumn("Until", tuple(duration_words(each.end_s) for each in found)),
        ),
        belongs_to=trace.name,
    )


def _remarks(trace: Trace, recording: Recording, found: list[Overlap]) -> list[Note]:
    notes = []
    for each in found:
        if each.unlikely:
            simulated = each.measured_mean + each.mean_error
            text = (
                f"Measured {each.column} is {each.measured_mean:.3g} {each.unit} on average, simulated {simulated:.3g} "
                f"{each.unit}: check the unit in the head of the file."
            )
            name = f"{trace.name}-unit-{each.column}"
            notes.append(Note(name, "Measured in another unit?", text, "warning", belongs_to=trace.name))
    if len(recording.tracks) > 1:
        text = f"{recording.title} has {len(recording.tracks)} tracks; the first one is laid over the trace."
        notes.append(Note(f"{trace.name}-tracks", "Several tracks", text, belongs_to=trace.name))
    return notes
