from __future__ import annotations

import json
from dataclasses import MISSING, fields

import numpy as np
import pytest

from engines.contract.encoding.result_json import (
    LATER_FIELDS,
    equal,
    from_json,
    result_classes,
    result_from_bytes,
    result_to_bytes,
    to_json,
)
from engines.contract.results import Distribution, Matrix, Note, Result
from tests.engines.samples import SAMPLES

# What stored results have had from the beginning, of the fields with a usual value.
FIRST_FIELDS = {
    "ChipletGrid": "memory_nodes", "Curve": "x_log y_log", "GroundCircle": "kind", "GroundLine": "kind",
    "GroundTrack": "circles lines", "LayerNode": "figures group kind", "Note": "level",
    "Schedule": "bar_words dependency_from dependency_to", "Series": "high low style", "TableColumn": "unit",
    "Trace": "bands events thresholds",
}  # fmt: skip


def test_a_field_that_came_later_is_left_out_where_it_says_nothing() -> None:
    """A bundle is written again to compare its digest: a field that it does not have must not appear."""
    usual = {
        name: " ".join(
            sorted(
                each.name
                for each in fields(cls)
                if (each.default is not MISSING or each.default_factory is not MISSING)
                and each.name not in LATER_FIELDS
            )
        )
        for name, cls in result_classes().items()
    }
    assert {name: found for name, found in usual.items() if found} == FIRST_FIELDS, "name the new field in LATER_FIELDS"


@pytest.mark.parametrize("result", SAMPLES, ids=lambda result: result.name)
def test_every_result_comes_back_equal(result: Result) -> None:
    again = from_json(json.loads(json.dumps(to_json(result), allow_nan=False)))
    assert type(again) is type(result)
    assert equal(again, result)
    assert equal(result_from_bytes(result_to_bytes(result)), result)


def test_arrays_keep_type_and_shape() -> None:
    matrix = Matrix("m", "M", ("r",), ("c", "d", "e"), np.arange(3, dtype=np.float32).reshape(1, 3), "", "")
    again = result_from_bytes(result_to_bytes(matrix))
    assert isinstance(again, Matrix)
    assert (again.values.dtype, again.values.shape) == (np.float32, (1, 3))


def test_special_numbers_are_spelled_out() -> None:
    distribution = Distribution("d", "D", np.array([np.nan, np.inf, -np.inf, 0.1]), "s")
    text = result_to_bytes(distribution).decode()
    assert "NaN" not in text and "Infinity" not in text
    again = result_from_bytes(text.encode())
    assert isinstance(again, Distribution)
    np.testing.assert_array_equal(again.values, distribution.values)


def test_an_unknown_type_lists_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"ChipletGrid.*Got 'Grid'"):
        from_json({"type": "Grid"})


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"a": 1}', b'{"type": "Lane", "id": "a", "title": "", "kind": "", "busy_fraction": 1}']
)
def test_what_is_no_result_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, TypeError)):
        result_from_bytes(data)


def test_what_a_result_is_comes_back_and_is_left_out_where_nothing_is_said() -> None:
    note = Note("proof", "Proof", "All was looked at.", role="proof", belongs_to="front")
    assert result_from_bytes(result_to_bytes(note)) == note
    assert {"role", "belongs_to"}.isdisjoint(to_json(Note("remark", "Remark", "One.")))
