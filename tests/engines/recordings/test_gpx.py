"""GPX files: gaps, duplicates, wrong order, and files that mean harm."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.recordings.gpx import read_gpx
from engines.recordings.loader import load_recording
from engines.running.runner.reading import read_in_child

HEAD = '<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">'


def gpx(seconds: list[int | None], head: str = HEAD) -> bytes:
    """A GPX file with a point at each second; None is a point without a time."""
    points = "".join(
        f'<trkpt lat="{47 + index * 1e-5:.6f}" lon="8.5"><ele>400</ele>'
        + ("" if second is None else f"<time>2026-05-01T10:{second // 60:02d}:{second % 60:02d}Z</time>")
        + "</trkpt>\n"
        for index, second in enumerate(seconds)
    )
    return f"{head}<trk><name>Morning</name><trkseg>\n{points}</trkseg></trk></gpx>".encode()


def test_points_become_a_route() -> None:
    found = read_gpx(gpx(list(range(20))), "My run.gpx")
    recording = load_recording(found.content)
    assert recording.slug == "my-run" and recording.measures == "route" and found.report["notes"] == []
    assert recording.tracks[0].title == "Morning"
    assert recording.tracks[0].times_s.tolist() == list(range(20))
    assert recording.tracks[0].columns["latitude"][1] == pytest.approx(47.00001)


def test_version_1_0_is_read_as_well() -> None:
    found = read_gpx(gpx(list(range(12)), '<gpx xmlns="http://www.topografix.com/GPX/1/0">'), "old.gpx")
    assert found.report["rows"] == 12


def test_gaps_duplicates_and_wrong_order_are_handled_and_said() -> None:
    seconds = [*range(12), 11, 5, None, *range(100, 115), 300]
    found = read_gpx(gpx(seconds), "run.gpx")
    recording = load_recording(found.content)
    assert [track.times_s.size for track in recording.tracks] == [12, 15]
    notes = " ".join(found.report["notes"])
    for words in ("1 point without a time was", "wrong order", "2 points repeat", "2 gaps", "1 piece of fewer"):
        assert words in notes
    assert len({track.title for track in recording.tracks}) == 2


BOMB = (
    '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    "<gpx><trk><name>&c;</name></trk></gpx>"
)
FILE = '<!DOCTYPE gpx [<!ENTITY f SYSTEM "file:///etc/hostname">]><gpx><trk><name>&f;</name></trk></gpx>'
NETWORK = '<!DOCTYPE gpx SYSTEM "http://127.0.0.1:9/gpx.dtd"><gpx/>'


@pytest.mark.parametrize("text", [BOMB, FILE, NETWORK], ids=["bomb", "file", "network"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_in_any_encoding(text: str, encoding: str) -> None:
    with pytest.raises(ProblemError, match="document type"):
        read_gpx(text.encode(encoding), "evil.gpx")


@pytest.mark.parametrize(
    ("data", "accepted"),
    [
        (b"not xml", "well-formed"),
        (b"<gpx><trk>", "well-formed"),
        (b"<html/>", "its root is gpx"),
        (b"<gpx/>", "at least 10 points"),
        (gpx([None] * 20), "at least 10 points"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b'lat="147"'), "-90 to 90"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b'lat="nan"'), "-90 to 90"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b""), "a number in degrees"),
        (gpx(list(range(20))).replace(b"10:00:03Z", b"noon"), "a time as"),
        (gpx(list(range(20))).replace(b"<trk>", b"<trk>" + b"<x>" * 300), "well-formed"),
    ],
)
def test_what_is_no_route_is_refused(data: bytes, accepted: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_gpx(data, "run.gpx")
    assert accepted in caught.value.accepted


def test_a_wrong_point_is_told_with_its_line() -> None:
    with pytest.raises(ProblemError) as caught:
        read_gpx(gpx(list(range(20))).replace(b'lat="47.000020"', b'lat="200"'), "run.gpx")
    assert caught.value.line == 4


def test_it_is_read_in_a_limited_child() -> None:
    found = read_in_child("gpx", gpx(list(range(20))), "run.gpx")
    assert found.content["slug"] == "run" and found.report["format"] == "GPX"
    with pytest.raises(ProblemError, match="document type"):
        read_in_child("gpx", BOMB.encode(), "evil.gpx")
