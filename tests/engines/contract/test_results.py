import dataclasses
from typing import Any

import numpy as np
import pytest

from engines.contract.encoding.result_json import equal
from engines.contract.results import RESULT_TYPES, Note, Result, Series, TableColumn
from tests.engines.samples import SAMPLES


def test_every_type_of_result_is_tried() -> None:
    assert {type(sample).__name__ for sample in SAMPLES} == set(RESULT_TYPES)


@pytest.mark.parametrize("result", SAMPLES, ids=lambda result: result.name)
def test_every_field_counts_for_equality(result: Result) -> None:
    for one in dataclasses.fields(result):
        changed = dataclasses.replace(result, **{one.name: _other(getattr(result, one.name))})
        assert not equal(changed, result), one.name


def _other(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.append(value, 1).astype(value.dtype)
    if isinstance(value, tuple):
        return (*value, "more")
    return f"{value}x" if isinstance(value, str) else not value if isinstance(value, bool) else value + 1


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False),
        (1.0, float("nan"), False),
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array(["a"]), np.array(["a"]), True),
        (TableColumn("t", np.array([1.0])), TableColumn("t", ("1",)), False),
        (TableColumn("t", ("a",)), TableColumn("t", ("a", "b")), False),
        ([1, 2], (1, 2), True),
        (Note("n", "t", "x"), Series("n", np.zeros(1), "s"), False),
    ],
)
def test_equality(left: Any, right: Any, same: bool) -> None:
    assert equal(left, right) is same
