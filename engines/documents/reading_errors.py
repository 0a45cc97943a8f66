"""Errors that documents may have because an earlier version read their file in another way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.data.documents import IMAGE_DATA_SCHEMA
from engines.recordings.pieces import zero_fixes
from engines.recordings.recording import longest_step_s
from engines.recordings.schema import RECORDING_SCHEMA
from hardware.environment.schema import ENVIRONMENT_SCHEMA
from hardware.units import UNITS, split_unit

_BYTES = "Its throughput may have been in bytes per second and was read as bits per second."
_GAPS = "It has gaps; values across them were interpolated."
_ZERO = "It has positions at 0, 0, which receivers write without a position."
_LAST = "Its last value lasts as long as the step before it, which is longer than the others."
_SCALING = "Means and standard deviations of its channels were not stored: exported code does not scale sensor values."
_LEADS = "Leads were matched by their position in each record, and units were not converted."
_IMAGES = "Images with 16 bits, EXIF orientation or transparency were read differently; some folders and formats were left out."


def reading_errors(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for each error in reading the document; empty if the installed readers accept it."""
    check = {RECORDING_SCHEMA: _of_recording, ENVIRONMENT_SCHEMA: _of_environment, IMAGE_DATA_SCHEMA: _of_data_set}
    found = check.get(str(content.get("schema")))
    return tuple(found(content)) if found and "reader" not in content else ()


def _of_recording(content: Mapping[str, Any]) -> list[str]:
    if not str(content.get("source", "")).startswith("file "):
        return []
    units = content.get("units", {})
    errors = [_BYTES] if any(UNITS[unit].base == "bit/s" for unit in units.values() if unit in UNITS) else []
    errors += [
        f"The unit {unit} of the column {name} does not fit its name."
        for name, unit in units.items()
        if unit in UNITS and split_unit(f"{name} [{unit}]") is None
    ]
    tracks = content.get("tracks", ())
    if any(np.diff(track["times_s"]).max() > longest_step_s(track["times_s"]) for track in tracks):
        errors.append(_GAPS)
    places = [[np.asarray(track["columns"].get(name, ())) for name in ("latitude", "longitude")] for track in tracks]
    if any(latitude.size and zero_fixes(latitude, longitude).any() for latitude, longitude in places):
        errors.append(_ZERO)
    return errors


def _of_environment(content: Mapping[str, Any]) -> list[str]:
    times: list[float] = next((profile["times_s"] for profile in content.get("profiles", {}).values()), [])
    if not str(content.get("source", "")).startswith("file ") or len(times) < 2:
        return []
    last = times[-1] - times[-2]
    same = abs(content["duration_s"] - times[-1] - last) < 1e-6
    return [_LAST] if same and last > float(np.median(np.diff(times))) else []


def _of_data_set(content: Mapping[str, Any]) -> list[str]:
    source = str(content.get("source", ""))
    if "file" not in content or "scaling" in content:
        return []
    if content["width"] == 1 < content["height"]:
        return [_SCALING, _LEADS] if source.startswith("WFDB") else [_SCALING]
    return [_IMAGES] if source.startswith("image folder") else []
