"""Lists that are typed, and what is refused of them."""

import pytest

from engines.contract.errors import ProblemError
from engines.documents.problems import validate_params
from engines.methods.neksus.params import NeksusParams, split_list, whole_numbers


def test_parts_of_a_list_come_without_blanks() -> None:
    assert split_list(" mesh,, star ,") == ["mesh", "star"]
    assert whole_numbers("1, 24") == [1, 24]
    assert NeksusParams.model_validate({"channel_widths": [64, 128]}).channel_widths == "64, 128"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("topologies", "mesh, ring", "'ring' is none"),
        ("flows", "direct memory", "out of memory, buffer, direct"),
        ("reuse", "", "from 1 to 16 values"),
        ("chain_lengths", "0", "whole numbers from 1 to 4096"),
        ("serdes_ratios", "1, 2.5", "'2.5' is none"),
        ("channel_widths", "5000", "'5000' is none"),
        ("granularities", ", ".join(map(str, range(1, 18))), "from 1 to 16 values"),
    ],
)
def test_what_is_no_list_of_known_values_is_refused_by_its_field(name: str, value: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as refused:
        validate_params(NeksusParams, {name: value})
    assert refused.value.field == f"params.{name}" and refused.value.got == value
