"""Documents of earlier versions tell what may be wrong in them; those of today tell nothing."""

from __future__ import annotations

from typing import Any

import pytest

from engines.documents.reading_errors import reading_errors
from engines.recordings.csv_file import read_csv

RATES = b"time_s,rate_mbps\n0,1\n1,2\n2,3\n"


def recording(units: dict[str, str], times_s: list[float], **columns: list[float]) -> dict[str, Any]:
    tracks = [{"title": "t", "times_s": times_s, "columns": columns}]
    return {"schema": "recording/1", "source": "file a.csv", "units": units, "tracks": tracks}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (recording({"rate": "Mbps"}, [0, 1, 2], rate=[1, 2, 3]), "bytes per second"),
        (recording({"wind_speed": "ms"}, [0, 1, 2], wind_speed=[1, 2, 3]), "unit ms of the column wind_speed"),
        (recording({"power": "W"}, [0, 1, 2, 3, 900], power=[1] * 5), "gaps"),
        (recording({"latitude": "deg", "longitude": "deg"}, [0, 1], latitude=[47, 0], longitude=[8, 0]), "0, 0"),
        (
            {
                "schema": "environment/1",
                "source": "file a.csv",
                "duration_s": 360,
                "profiles": {"p": {"times_s": [0, 60, 120, 240]}},
            },
            "longer than the others",
        ),
        ({"schema": "image-data/1", "source": "file a.csv", "file": {}, "width": 1, "height": 64}, "does not scale"),
        ({"schema": "image-data/1", "source": "image folder a", "file": {}, "width": 9, "height": 9}, "16 bits"),
    ],
)
def test_what_was_read_in_another_way_is_named(content: dict[str, Any], words: str) -> None:
    (error,) = reading_errors(content)
    assert words in error
    assert reading_errors({**content, "source": "measured by hand"}) == () or content["schema"] == "image-data/1"
    assert reading_errors({**content, "reader": 2}) == ()


def test_what_is_read_today_has_nothing_to_tell() -> None:
    assert reading_errors(read_csv(RATES, "a.csv").content) == ()
    assert reading_errors(read_csv(b"time_s,budget_w\n0,1\n60,2\n90,3\n", "a.csv").content) == ()
