"""What an address asks of the comparison of dataflows; nonsense gives way to the default."""

from __future__ import annotations

from typing import Any

import pytest

from engines.cost.preferences import DEFAULT_ARRAY_SIZES, DEFAULT_MAPPINGS, MOST_ARRAY_SIZES
from frontend.pages.catalogue.workload.layers.query import ALL, ARRAY_SIZES, SAME_SIZE, DataflowQuery, asked_of
from frontend.pages.drafts import PREFERRED
from tests.support.stored_runs import People


def test_without_words_it_is_the_usual(people: People) -> None:
    assert asked_of(people.owner, {}) == DataflowQuery(PREFERRED["hardware"])


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"package": "nothing"}, "package", PREFERRED["hardware"]),
        ({"sizes": "1024,7,64,64,x"}, "sizes", (64, 1024)),
        ({"sizes": "7"}, "sizes", DEFAULT_ARRAY_SIZES),
        ({"sizes": [str(size) for size in ARRAY_SIZES]}, "sizes", ARRAY_SIZES[:MOST_ARRAY_SIZES]),
        ({"mappings": "made up"}, "mappings", DEFAULT_MAPPINGS),
        ({"show": "colour"}, "show", "edp"),
        ({"reference": "size"}, "reference", SAME_SIZE),
        ({"reference": "best"}, "reference", ALL),
        ({"layer": "3"}, "layer", 2),
        ({"layer": "0"}, "layer", 0),
        ({"layer": "-1"}, "layer", 0),
        ({"layer": "٣"}, "layer", 0),
        ({"layer": "9999999"}, "layer", 0),
        ({"model": 2}, "model", 1),
    ],
)
def test_what_makes_sense_is_taken(people: People, given: dict[str, Any], name: str, value: Any) -> None:
    assert getattr(asked_of(people.owner, given), name) == value


def test_what_a_browser_keeps_reads_back(people: People) -> None:
    asked = asked_of(people.owner, {"sizes": "256", "mappings": DEFAULT_MAPPINGS[0], "layer": "4", "model": "2"})
    assert asked_of(people.owner, asked.to_json()) == asked
