"""GPX files as `recording/1` documents. They are not trusted: no entities, no document types, no network, sizes limited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Any

import numpy as np
from lxml import etree

from engines.contract.arrays import FloatArray
from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.recordings.loader import load_recording
from engines.recordings.pieces import FASTEST_M_PER_S, impossible_fixes, pieces, zero_fixes
from engines.recordings.schema import MAX_POINTS, MAX_TRACKS, RECORDING_SCHEMA
from hardware.slugs import slug_of

MAX_BYTES = 30_000_000
LONGEST_GAP_S = 30.0
FEWEST_POINTS = 10
# What no clock of Python has: the end of a day, and a leap second (or 59.9996 s, rounded).
_ROLLED = (
    (re.compile(r"(?<=[T ])24(?=:00:00)"), "23", timedelta(hours=1)),
    (re.compile(r"(?<=:\d\d:)60"), "59", timedelta(seconds=1)),
)
_UNTIMED = ("rte", "wpt")  # what GPX has beside tracks


@dataclass
class _Findings:
    """The changes made to a file, counted."""

    untimed: int = 0
    reordered: int = 0
    repeated: int = 0
    zero: int = 0
    impossible: int = 0
    gaps: int = 0
    short: int = 0

    def words(self) -> list[str]:
        """Return one sentence per finding."""
        times, short = "the time of another one and", f"fewer than {FEWEST_POINTS} points"
        gap = f"of more than {LONGEST_GAP_S:g} s"
        jump = f"left out: getting there takes more than {FASTEST_M_PER_S:g} m/s"
        findings = (
            (self.untimed, "point without a time was left out", "points without a time were left out"),
            (
                self.reordered,
                "point stood in the wrong order: sorted by time",
                "points stood in the wrong order: sorted by time",
            ),
            (self.repeated, f"point repeats {times} was left out", f"points repeat {times} were left out"),
            (
                self.zero,
                "point at latitude 0, longitude 0 was left out",
                "points at latitude 0, longitude 0 were left out",
            ),
            (self.impossible, f"point was {jump}", f"points were {jump}"),
            (self.gaps, f"gap {gap} cuts a track in two", f"gaps {gap} cut tracks in pieces"),
            (self.short, f"piece of {short} was left out", f"pieces of {short} were left out"),
        )
        return [f"{count} {one if count == 1 else many}." for count, one, many in findings if count]


def read_gpx(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """Read the tracks of a GPX file (1.0 or 1.1), as one track per stretch without a gap.

    Args:
        data: the file.
        name: name in messages; it becomes slug and title.
        options: "name": a title of its own.

    Raises:
        ProblemError: it is too large, no GPX, declares a document type, or has no points with times.
    """
    root = _parse(data, name)
    findings = _Findings()
    segments = _segments(root, findings)
    zero = zero_fixes(*np.concatenate([points for _, points in segments]).T[1:]) if segments else np.empty(0, bool)
    findings.zero = int(zero.sum())
    tracks: list[dict[str, Any]] = []
    total = 0
    for label, points in segments:
        here, zero = zero[: len(points)], zero[len(points) :]
        fixes = _ordered(points[~here], findings)
        total += len(fixes)
        parts, gaps, short = pieces(fixes[:, 0], LONGEST_GAP_S, FEWEST_POINTS)
        findings.gaps += gaps
        findings.short += short
        tracks += [_document(label, fixes[part]) for part in parts]
    if not tracks:
        others = [f"{sum(1 for _ in _named(root, each))} {each}" for each in _UNTIMED]
        found = "; ".join(findings.words()) or f"no track points; {', '.join(others)}"
        accepted = f"a track (trk) with at least {FEWEST_POINTS} points in a row that have times"
        ways = ["Export what was recorded. Routes (rte) and waypoints (wpt) are planned."]
        raise ProblemError("file", found, f"{accepted}", remedies=ways)
    if len(tracks) > MAX_TRACKS:
        accepted = f"at most {MAX_TRACKS} tracks and pieces between gaps"
        raise ProblemError("file", f"{len(tracks)} pieces", accepted, remedies=["Split the file."])
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Route"
    content = {
        "schema": RECORDING_SCHEMA,
        "slug": slug_of(title, "route"),
        "title": title,
        "source": f"file {name}",
        "units": {"latitude": "deg", "longitude": "deg"},
        "tracks": _numbered(tracks),
    }
    load_recording(content)
    report = {"format": "GPX", "rows": total, "tracks": len(tracks), "columns": ["latitude [deg]", "longitude [deg]"]}
    return ReadDocument(content, {}, {**report, "notes": findings.words()})


def _parse(data: bytes, name: str) -> Any:
    if len(data) > MAX_BYTES:
        ways = ["Split the file."]
        accepted = f"a GPX file of at most {counted(MAX_BYTES)} bytes"
        raise ProblemError("file", f"{len(data)} bytes", accepted, remedies=ways)
    if data.startswith(b"\x1f\x8b"):
        raise ProblemError("file", "a gzip file", "GPX as text", remedies=["Unpack the file with gunzip."])
    # GPX needs no document type; those that come with one want entities expanded or files read.
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ProblemError("file", name, "GPX without a document type declaration")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        words = str(error).partition(" (<string>")[0]  # the parser's name for text that is in no file
        raise ProblemError(
            "file", words[:200], "well-formed XML in the encoding that its first line names", line or None
        ) from error
    if root.getroottree().docinfo.doctype:  # in an encoding in which the bytes did not show it
        raise ProblemError("file", name, "GPX without a document type declaration")
    if etree.QName(root).localname != "gpx":
        raise ProblemError("file", etree.QName(root).localname, "a GPX file with the root gpx")
    return root


def _named(element: Any, name: str) -> Iterator[Any]:
    return (each for each in element if isinstance(each.tag, str) and etree.QName(each).localname == name)


def _segments(root: Any, findings: _Findings) -> list[tuple[str, FloatArray]]:
    """Return the title and points (time in s, latitude, longitude) of every segment, n x 3, as they stand in the file."""
    segments: list[tuple[str, FloatArray]] = []
    count = 0
    for number, track in enumerate(_named(root, "trk")):
        title = next((each.text for each in _named(track, "name") if each.text), None) or ""
        for segment in _named(track, "trkseg"):
            points = np.array(list(_points(segment, findings)), np.float64).reshape(-1, 3)
            count += len(points)
            if count > MAX_POINTS:
                accepted = f"at most {counted(MAX_POINTS)} points with times"
                ways = ["Split the file, or reduce the number of points."]
                raise ProblemError("file", f"more than {counted(MAX_POINTS)} points", accepted, remedies=ways)
            segments.append((title.strip()[:100] or f"track {number + 1}", points))
    return segments


def _points(segment: Any, findings: _Findings) -> Iterator[tuple[float, float, float]]:
    for element in _named(segment, "trkpt"):
        place = _degrees(element, "lat", -90.0, 90.0), _degrees(element, "lon", -180.0, 360.0)
        time = next((each.text or "" for each in _named(element, "time")), "").strip()
        if time:
            yield _seconds(time, element.sourceline), *place
        else:
            findings.untimed += 1


def _degrees(element: Any, attribute: str, low: float, high: float) -> float:
    text = element.get(attribute)
    try:
        value = float(text.replace("_", "?"))  # Python reads 4_7 as 47
    except (AttributeError, ValueError) as error:
        raise ProblemError(attribute, text and text[:60], "a number in degrees", element.sourceline) from error
    if not low <= value <= high:  # NaN is refused as well
        raise ProblemError(attribute, text[:60], f"from {low:g} to {high:g} degrees", element.sourceline)
    return value


def _seconds(text: str, line: int) -> float:
    """Return the seconds since 1970, to the millisecond; UTC where it names no zone.

    24:00:00 and a 60th second are the next minute.
    """
    stamp, later = text.upper(), timedelta(0)
    for pattern, last, rest in _ROLLED:
        stamp, count = pattern.subn(last, stamp, 1)
        later += count * rest
    try:
        time = datetime.fromisoformat(stamp) + later
        return round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp(), 3)
    except (ValueError, OverflowError) as error:
        raise ProblemError("time", text[:60], "a time such as 2026-05-01T10:00:00Z", line) from error


def _ordered(points: FloatArray, findings: _Findings) -> FloatArray:
    """Return the points by time without those that repeat a time or cannot be right, n x 3."""
    findings.reordered += int((np.diff(points[:, 0]) < 0).sum())
    points = points[np.argsort(points[:, 0], kind="stable")]
    new = np.diff(points[:, 0], prepend=-np.inf) > 0
    points = points[new]
    wrong = impossible_fixes(*points.T)
    findings.repeated += int((~new).sum())
    findings.impossible += int(wrong.sum())
    return np.asarray(points[~wrong])


def _document(title: str, points: FloatArray) -> dict[str, Any]:
    times, latitude, longitude = points.T
    columns = {"latitude": latitude.tolist(), "longitude": longitude.tolist()}
    return {"title": title, "times_s": [round(time, 3) for time in (times - times[0]).tolist()], "columns": columns}


def _numbered(tracks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the tracks whose titles tell them apart."""
    titles = [track["title"] for track in tracks]
    several = {title for title in titles if titles.count(title) > 1}
    return [
        track | {"title": f"{track['title']} ({number + 1})"} if track["title"] in several else track
        for number, track in enumerate(tracks)
    ]
