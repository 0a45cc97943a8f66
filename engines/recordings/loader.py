"""Reads data documents of schema `recording/1` into `Recording`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engines.contract.bounded_cache import BoundedCache
from engines.contract.integer_format import counted
from engines.recordings.recording import ROUTE, Recording, Track
from engines.recordings.schema import MAX_POINTS, RecordingDocument, TrackSection
from engines.recordings.synthetic import UNITS_OF, draw
from hardware.document_reader import check_ascending, contents_of, document_loader, validated
from hardware.environment.loader import unit_of
from hardware.environment.summary import duration_words
from hardware.errors import HardwareError

# Tracks that were drawn: forms look at the same recordings again with every choice, and a track never changes.
_drawn: BoundedCache[tuple[Any, ...], tuple[Track, ...]] = BoundedCache(
    16, 64 * 1024**2, lambda tracks: sum(column.nbytes for track in tracks for column in track.columns.values())
)
RECORDINGS = Path(__file__).parent / "data"
_PLACES = (("latitude", "longitude"), ("x", "y"))


def builtin_recordings() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every recording that ships with the product; read once per process."""
    return contents_of(RECORDINGS)


def recording_words(recording: Recording) -> str:
    """Return tracks, duration and columns: "synthetic; 200 tracks, 33 h in all: x, y"."""
    total = duration_words(sum(track.duration_s for track in recording.tracks))
    count = len(recording.tracks)
    kind = "synthetic; " if recording.synthetic else ""
    return f"{kind}{count} track{'s' if count != 1 else ''}, {total} in all: {', '.join(recording.units)}"


@document_loader
def load_recording(content: Mapping[str, Any], file: str) -> Recording:
    """Return the recording that a document describes; a synthetic one is drawn now."""
    document = validated(RecordingDocument, content, file)
    if bool(document.tracks) == (document.generator is not None):
        reason = "A recording has either tracks or a generator."
        accepted = "given, or a generator given"
        raise HardwareError(file, "tracks", f"{len(document.tracks)} tracks", accepted, reason=reason)
    if document.generator is not None:
        generator = document.generator
        points = generator.tracks * generator.duration_s / generator.step_s
        if points > 20 * MAX_POINTS:
            raise HardwareError(
                file, "generator.tracks", generator.tracks, f"at most {counted(20 * MAX_POINTS)} points in all"
            )
        units = UNITS_OF[generator.kind]
        asked = (generator.kind, generator.tracks, generator.duration_s, generator.step_s, generator.seed)
        tracks = _drawn.made(asked, lambda: draw(*asked))
    else:
        factors = {name: unit_of(symbol, f"units.{name}", file) for name, symbol in document.units.items()}
        units = {name: unit.base for name, unit in factors.items()}
        for name in sorted(units.keys() & {"latitude", "longitude"}):
            if units[name] != "deg":
                raise HardwareError(file, f"units.{name}", document.units[name], "deg")
        scale = {name: unit.factor for name, unit in factors.items()}
        tracks = tuple(_track(index, section, scale, file) for index, section in enumerate(document.tracks))
    return Recording(
        slug=document.slug,
        title=document.title,
        units=units,
        measures=_measures(document.measures, units, file),
        synthetic=document.generator is not None,
        tracks=tracks,
        sources={"tracks": document.source},
    )


def _track(index: int, section: TrackSection, scale: Mapping[str, float], file: str) -> Track:
    key = f"tracks.{index}"
    check_ascending(section.times_s, f"{key}.times_s", file, "times ascend")
    if section.columns.keys() != scale.keys():
        raise HardwareError(file, f"{key}.columns", sorted(section.columns), f"the columns of units: {sorted(scale)}")
    columns = {}
    for name, values in section.columns.items():
        if len(values) != len(section.times_s):
            accepted = f"{len(section.times_s)} values, one per time"
            raise HardwareError(file, f"{key}.columns.{name}", f"{len(values)} values", accepted)
        columns[name] = np.asarray(values, np.float64) * scale[name]
    for value in columns.get("latitude", ()):
        if abs(value) > 90:
            raise HardwareError(file, f"{key}.columns.latitude", float(value), "from -90 to 90 deg")
    if "longitude" in columns:  # what lies between 179° and -179° is not 0°
        columns["longitude"] = np.unwrap(columns["longitude"], period=360.0)
    return Track(section.title, np.asarray(section.times_s, np.float64), columns)


def _measures(said: str | None, units: Mapping[str, str], file: str) -> str:
    route = any(set(place) <= units.keys() for place in _PLACES)
    if said is None:
        if not route and len(units) > 1:  # which stands last is not kept by every database
            reason = "The recording has several columns."
            raise HardwareError(file, "measures", None, f"given as one of {', '.join(units)}", reason=reason)
        return ROUTE if route else next(iter(units))
    if said != ROUTE and said not in units:
        raise HardwareError(file, "measures", said, f"one of route, {', '.join(units)}")
    if said == ROUTE and not route:
        reason = "A route needs latitude and longitude, or x and y."
        raise HardwareError(file, "measures", said, f"one of {', '.join(units)}", reason=reason)
    return said
