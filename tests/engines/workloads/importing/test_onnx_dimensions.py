from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx_models import convolutional
from tests.engines.workloads.importing.read_for_tests import read


def test_an_open_dimension_is_asked_for_by_name() -> None:
    with pytest.raises(ProblemError, match=r"--dim batch=1.*batch \(axis 0 of image\)") as caught:
        read(convolutional("batch"))
    assert (caught.value.field, caught.value.got) == ("dims", {"batch": None})
    found = read(convolutional("batch"), dims={"batch": 4})
    assert found.report["macs"] == 4 * read(convolutional()).report["macs"]
    assert found.report["parameters"] == read(convolutional()).report["parameters"]
    assert "batch = 4" in found.content["source"]


@pytest.mark.parametrize(
    ("dims", "field"),
    [({"batch": 0}, "dims.batch"), ({"batch": "1"}, "dims.batch"), ({"batch": 10**9}, "dims.batch"),
     ({"batch": True}, "dims.batch"), ({"batch": 1, "other": 2}, "dims"), ([1], "dims")],
)  # fmt: skip
def test_sizes_of_open_dimensions_are_checked(dims: Any, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(convolutional("batch"), dims=dims)
    assert caught.value.field == field


def test_a_dimension_without_a_name_is_named_by_its_place() -> None:
    with pytest.raises(ProblemError, match=r"image\.0 \(axis 0 of image\)"):
        read(convolutional(-1))
