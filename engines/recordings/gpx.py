"""GPX files as `recording/1` documents. They are not trusted: no entities, no document types, no network, sizes limited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from lxml import etree

from engines.contract.counts import counted
from engines.contract.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.recordings.csv_file import slug_of
from engines.recordings.loader import load_recording
from engines.recordings.schema import MAX_POINTS, MAX_TRACKS, RECORDING_SCHEMA

MAX_BYTES = 30_000_000
LONGEST_GAP_S = 30.0
FEWEST_POINTS = 10
_Point = tuple[float, float, float]


@dataclass
class _Findings:
    """What was done to a file."""

    untimed: int = 0
    reordered: int = 0
    repeated: int = 0
    gaps: int = 0
    short: int = 0
    notes: list[str] = field(default_factory=list)

    def words(self) -> list[str]:
        """One sentence per finding."""
        times, pieces = "the time of another one and", f"fewer than {FEWEST_POINTS} points"
        gap = f"of more than {LONGEST_GAP_S:g} s"
        told = (
            (self.untimed, "point without a time was left out", "points without a time were left out"),
            (
                self.reordered,
                "point stood in the wrong order: sorted by time",
                "points stood in the wrong order: sorted by time",
            ),
            (self.repeated, f"point repeats {times} was left out", f"points repeat {times} were left out"),
            (self.gaps, f"gap {gap} cuts a track in two", f"gaps {gap} cut tracks in pieces"),
            (self.short, f"piece of {pieces} was left out", f"pieces of {pieces} were left out"),
        )
        return [*self.notes, *(f"{count} {one if count == 1 else many}." for count, one, many in told if count)]


def read_gpx(data: bytes, name: str, options: Mapping[str, Any] | None = None) -> ReadDocument:
    """The routes of a GPX file (1.0 or 1.1), one track per stretch without a gap.

    Args:
        data: the file.
        name: what messages call it; it becomes slug and title.
        options: "name": a title of its own.

    Raises:
        ProblemError: it is too large, no GPX, declares a document type, or has no points with times.
    """
    root = _parse(data, name)
    findings = _Findings()
    tracks: list[dict[str, Any]] = []
    total = 0
    for number, track in enumerate(_named(root, "trk")):
        label = next((each.text for each in _named(track, "name") if each.text), None) or f"track {number + 1}"
        for segment in _named(track, "trkseg"):
            points = _points(segment, findings)
            total += len(points)
            if total > MAX_POINTS:
                raise ProblemError(
                    "file",
                    f"more than {counted(MAX_POINTS)} points",
                    f"at most {counted(MAX_POINTS)} points with times",
                )
            tracks += [_document(label.strip()[:100], piece) for piece in _pieces(points, findings)]
    if not tracks:
        got = "; ".join(findings.words()) or "no track points"
        raise ProblemError("file", got, f"a track (trk) with at least {FEWEST_POINTS} points that have times")
    if len(tracks) > MAX_TRACKS:
        raise ProblemError("file", f"{len(tracks)} pieces", f"at most {MAX_TRACKS} tracks and pieces between gaps")
    title = str((options or {}).get("name") or PurePath(name).stem)[:200] or "Route"
    content = {
        "schema": RECORDING_SCHEMA,
        "slug": slug_of(title),
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
        raise ProblemError("file", f"{len(data)} bytes", f"a GPX file of at most {counted(MAX_BYTES)} bytes")
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
        raise ProblemError("file", words[:200], "well-formed XML", line or None) from error
    if root.getroottree().docinfo.doctype:  # in an encoding in which the bytes did not show it
        raise ProblemError("file", name, "GPX without a document type declaration")
    if etree.QName(root).localname != "gpx":
        raise ProblemError("file", etree.QName(root).localname, "a GPX file: its root is gpx")
    return root


def _named(element: Any, name: str) -> Iterator[Any]:
    return (each for each in element if isinstance(each.tag, str) and etree.QName(each).localname == name)


def _points(segment: Any, findings: _Findings) -> list[_Point]:
    points: list[_Point] = []
    for element in _named(segment, "trkpt"):
        latitude = _degrees(element, "lat", 90.0)
        longitude = _degrees(element, "lon", 180.0)
        time = next((each.text for each in _named(element, "time")), None)
        if not time:
            findings.untimed += 1
            continue
        points.append((_seconds(time, element.sourceline), latitude, longitude))
    findings.reordered += sum(after[0] < before[0] for before, after in pairwise(points))
    points.sort(key=lambda point: point[0])
    kept = [point for index, point in enumerate(points) if not index or point[0] > points[index - 1][0]]
    findings.repeated += len(points) - len(kept)
    return kept


def _degrees(element: Any, attribute: str, most: float) -> float:
    text = element.get(attribute)
    try:
        value = float(text)
    except (TypeError, ValueError) as error:
        raise ProblemError(attribute, text, "a number in degrees", element.sourceline) from error
    if not -most <= value <= most:  # NaN is refused as well
        raise ProblemError(attribute, text, f"from {-most:g} to {most:g} degrees", element.sourceline)
    return value


def _seconds(text: str, line: int) -> float:
    try:
        time = datetime.fromisoformat(text.strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise ProblemError("time", text[:60], "a time as 2026-05-01T10:00:00Z", line) from error


def _pieces(points: list[_Point], findings: _Findings) -> Iterator[list[_Point]]:
    begin = 0
    for index in range(1, len(points) + 1):
        gap = index < len(points) and points[index][0] - points[index - 1][0] > LONGEST_GAP_S
        findings.gaps += gap
        if gap or index == len(points):
            if index - begin >= FEWEST_POINTS:
                yield points[begin:index]
            else:
                findings.short += 1
            begin = index


def _document(title: str, points: list[_Point]) -> dict[str, Any]:
    start = points[0][0]
    columns = {"latitude": [point[1] for point in points], "longitude": [point[2] for point in points]}
    return {"title": title or "track", "times_s": [round(point[0] - start, 3) for point in points], "columns": columns}


def _numbered(tracks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tracks whose titles tell them apart."""
    titles = [track["title"] for track in tracks]
    several = {title for title in titles if titles.count(title) > 1}
    return [
        track | {"title": f"{track['title']} ({number + 1})"} if track["title"] in several else track
        for number, track in enumerate(tracks)
    ]
