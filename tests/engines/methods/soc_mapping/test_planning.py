"""What a plan of SoC mapping says before it starts."""

from __future__ import annotations

import pytest

from engines.methods.soc_mapping.planning import _mappings_words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 mapping"),
        (2**12, "4\u2009096 mappings"),
        (2**20, "1.0 × 10⁶ mappings"),
        (3**34, "1.7 × 10¹⁶ mappings"),
        (2**2000, "1.1 × 10⁶⁰² mappings"),
    ],
)
def test_the_number_of_mappings_is_written_as_people_write_it(count: int, words: str) -> None:
    assert _mappings_words(count) == words
