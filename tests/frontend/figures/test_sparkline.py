from __future__ import annotations

import numpy as np
import pytest

from frontend.figures.sparkline import sparkline_mask, sparkline_path


def test_it_runs_from_left_to_right_with_the_largest_value_on_top():
    path, (x, y) = sparkline_path([1.0, 3.0, 2.0], 84, 22)
    points = [tuple(map(float, part.split())) for part in path[1:].split("L")]
    assert [p[0] for p in points] == [3, 42, 81]
    assert points[0][1] == 19 and points[1][1] == 3
    assert (x, y) == points[2]


def test_it_leaves_out_what_is_not_finite():
    path, _ = sparkline_path([np.nan, 1.0, np.inf, 2.0], 84, 22)
    assert path.count("L") == 1


def test_equal_values_are_a_level_line_in_the_middle():
    path, _ = sparkline_path([2.0, 2.0], 84, 22)
    assert path == "M3 11L81 11"


def test_it_needs_a_value():
    with pytest.raises(ValueError, match="at least one finite value"):
        sparkline_path([np.nan], 84, 22)


def test_its_mask_is_one_address_without_quotes_inside():
    mask = sparkline_mask([1.0, 2.0])
    assert mask.startswith('url("data:image/svg+xml,') and mask.endswith('")')
    assert '"' not in mask[5:-2] and "<" not in mask
