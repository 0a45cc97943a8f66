"""GPX files: gaps, duplicates, wrong order, and files that mean harm."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.recordings.gpx import read_gpx
from engines.recordings.loader import load_recording
from engines.running.runner.file_reader import read_in_child
from tests.support.mutations import mutations

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


def track_of(times: list[str], places: list[tuple[str, str]] | None = None) -> bytes:
    """A GPX file with a point at each time, at each place (latitude, longitude) or along a meridian."""
    places = places or [(f"{47 + index * 1e-5:.6f}", "8.5") for index in range(len(times))]
    points = "".join(
        f'<trkpt lat="{latitude}" lon="{longitude}"><time>{time}</time></trkpt>\n'
        for time, (latitude, longitude) in zip(times, places, strict=True)
    )
    return f"{HEAD}<trk><trkseg>\n{points}</trkseg></trk></gpx>".encode()


@pytest.mark.parametrize(
    ("stamp", "second"),
    [
        ("2016-12-31T23:59:60Z", 15),  # the leap second and what follows it have one number
        ("2016-12-31T23:59:60.5Z", 15.5),
        ("2016-12-31T23:59:60.500+00:00", 15.5),
        ("2017-01-01T00:59:60+01:00", 15),
        ("2016-12-31T24:00:00Z", 15),
        ("2016-12-31t23:59:59.9z", 14.9),
        ("2016-12-31T23:59:59,9Z", 14.9),
        ("2016-12-31T23:59:59.9004", 14.9),
        ("2016-12-31 23:59:59.9", 14.9),
        ("2017-01-01T05:29:59.9+05:30", 14.9),
        ("20161231T235959.9Z", 14.9),
    ],
)
def test_odd_stamps_are_read(stamp: str, second: float) -> None:
    times = [f"2016-12-31T23:59:{45 + index}Z" for index in range(15)] + [stamp, "2017-01-01T00:00:01Z"]
    found = read_gpx(track_of(times), "night.gpx")
    assert load_recording(found.content).tracks[0].times_s.tolist() == [*range(15), second, 16]
    assert found.report["notes"] == []


@pytest.mark.parametrize(
    "stamp",
    [
        "2016-12-31T24:00:01Z",
        "2016-12-31T25:00:00Z",
        "23:59:50Z",
        "1483228800",
        "2016-12-31T23:60:00Z",
        "9999-12-31T24:00:00Z",
    ],
)
def test_stamps_that_name_no_time_are_refused_with_their_line(stamp: str) -> None:
    with pytest.raises(ProblemError, match="a time such as") as caught:
        read_gpx(track_of([f"2016-12-31T23:59:{45 + index}Z" for index in range(15)] + [stamp]), "night.gpx")
    assert caught.value.line == 17


def test_points_within_a_millisecond_and_without_a_time_are_left_out() -> None:
    times = [f"2026-05-01T10:00:{10 + index}Z" for index in range(12)]
    found = read_gpx(track_of([*times, "2026-05-01T10:00:12.0004Z", " ", ""]), "run.gpx")
    assert load_recording(found.content).tracks[0].times_s.tolist() == list(range(12))
    assert found.report["notes"] == [
        "2 points without a time were left out.",
        "1 point stood in the wrong order: sorted by time.",
        "1 point repeats the time of another one and was left out.",
    ]


@pytest.mark.parametrize(
    ("bad", "note"),
    [
        ([("0", "0")], "1 point at latitude 0, longitude 0 was left out."),
        ([("0.000000", "-0.0")] * 3, "3 points at latitude 0, longitude 0 were left out."),
        ([("0", "360")], "1 point at latitude 0, longitude 0 was left out."),
        ([("47.1", "8.5")], "1 point was left out: getting there takes more than 400 m/s."),
        ([("-47", "8.5"), ("-47", "8.5001")], "2 points were left out: getting there takes more than 400 m/s."),
    ],
)
@pytest.mark.parametrize("where", [0, 10, 20])
def test_impossible_fixes_are_left_out_and_said(bad: list[tuple[str, str]], note: str, where: int) -> None:
    places = [(f"{47 + index * 1e-5:.6f}", "8.5") for index in range(20)]
    places[where:where] = bad
    found = read_gpx(track_of([f"2026-05-01T10:00:{10 + index}Z" for index in range(len(places))], places), "run.gpx")
    (track,) = load_recording(found.content).tracks
    assert track.times_s.size == 20 and track.columns["latitude"].min() >= 47 and found.report["rows"] == 20
    assert found.report["notes"] == [note]


def test_a_segment_at_zero_is_left_out_where_others_are_elsewhere_and_real_ones_are_kept() -> None:
    times = [f"2026-05-01T10:00:{10 + index}Z" for index in range(12)]
    zero = track_of(times, [("0", "0")] * 12).partition(b"<trkseg>")[2].partition(b"</trkseg>")[0]
    found = read_gpx(track_of(times).replace(b"</trkseg>", b"</trkseg><trkseg>" + zero + b"</trkseg>"), "run.gpx")
    assert len(found.content["tracks"]) == 1 and "12 points at latitude 0" in found.report["notes"][0]
    off_africa = track_of(times, [(f"{index * 1e-5:.6f}", "0") for index in range(12)])
    assert read_gpx(off_africa, "gulf.gpx").report["rows"] == 12


def test_longitudes_from_0_to_360_are_read() -> None:
    times = [f"2026-05-01T10:00:{10 + index}Z" for index in range(12)]
    places = [("10", f"{(359.99995 + index * 1e-5) % 360:.6f}") for index in range(12)]
    (track,) = load_recording(read_gpx(track_of(times, places), "run.gpx").content).tracks
    assert track.columns["longitude"][-1] - track.columns["longitude"][0] == pytest.approx(11e-5)


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
        (b"\x1f\x8b\x08\x00abc", "gunzip"),
        (b"<html/>", "with the root gpx"),
        (b"<gpx/>", "at least 10 points"),
        (b"<gpx><rte><rtept lat='1' lon='2'/></rte><wpt lat='1' lon='2'/></gpx>", "Export what was recorded"),
        (gpx([0]), "at least 10 points"),
        (gpx(list(range(20))).replace(b'"1.0"?', b'"1.0" encoding="cp9999"?'), "well-formed"),
        (gpx(list(range(20))).replace(b"Morning", b"M\xe4rz"), "well-formed"),
        (gpx([None] * 20), "at least 10 points"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b'lat="147"'), "-90 to 90"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b'lat="nan"'), "-90 to 90"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b""), "a number in degrees"),
        (gpx(list(range(20))).replace(b'lat="47.000010"', b'lat="4_7"'), "a number in degrees"),
        (gpx(list(range(20))).replace(b"10:00:03Z", b"noon"), "a time such as"),
        (gpx(list(range(20))).replace(b"<trk>", b"<trk>" + b"<x>" * 300), "well-formed"),
    ],
)
def test_what_is_no_route_is_refused(data: bytes, accepted: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_gpx(data, "run.gpx")
    assert accepted in str(caught.value)


def test_a_wrong_point_is_told_with_its_line() -> None:
    with pytest.raises(ProblemError) as caught:
        read_gpx(gpx(list(range(20))).replace(b'lat="47.000020"', b'lat="200"'), "run.gpx")
    assert caught.value.line == 4


def test_it_is_read_in_a_limited_child() -> None:
    found = read_in_child("gpx", gpx(list(range(20))), "run.gpx")
    assert found.content["slug"] == "run" and found.report["format"] == "GPX"
    with pytest.raises(ProblemError, match="document type"):
        read_in_child("gpx", BOMB.encode(), "evil.gpx")


@pytest.mark.long
def test_damaged_files_are_read_or_refused_in_words_of_the_file() -> None:
    places = [(f"{47 + index * 1e-5:.6f}", f"{(179.9999 + index * 1e-5 + 180) % 360 - 180:.6f}") for index in range(24)]
    whole = track_of([f"2026-05-01T10:00:{10 + index}.5Z" for index in range(24)], places)
    fields = []
    for seed, data in enumerate((whole, gpx([*range(12), 11, 5, None, *range(100, 115)]))):
        for damaged in mutations(data, 1000, seed):
            try:
                found = read_gpx(damaged, "run.gpx")
            except ProblemError as error:
                fields.append(error.field)
            else:
                assert load_recording(found.content).tracks
    assert set(fields) == {"file", "lat", "lon", "time"}  # no key that is in no file
    assert 1000 < len(fields) < 1990
