from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, file, weight
from tests.engines.workloads.importing.onnx.walks_for_tests import node
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
    [({"batch": -1}, "dims.batch"), ({"batch": 0}, "dims"), ({"batch": "1"}, "dims.batch"), ({"batch": 10**9}, "dims.batch"),
     ({"batch": True}, "dims.batch"), ({"batch": 1, "other": 2}, "dims"), ([1], "dims")],
)  # fmt: skip
def test_sizes_of_open_dimensions_are_checked(dims: Any, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read(convolutional("batch"), dims=dims)
    assert caught.value.field == field


def test_a_dimension_without_a_name_is_named_by_its_place() -> None:
    with pytest.raises(ProblemError, match=r"image\.0 \(axis 0 of image\)"):
        read(convolutional(-1))


# -- caches: lengths of 0, and lengths that follow from others --------------------------------------------------------


def _cache(past: int | str, mask: int | str = 1) -> bytes:
    """Scores of 4 queries and keys behind a cache, with a mask added; 8 heads of 16."""
    nodes = [
        node("Concat", "pk k", "kk", axis=2),
        node("Transpose", "kk", "kt", perm=[0, 1, 3, 2]),
        node("MatMul", "q kt", "s"),
        node("Add", "s mask", "out"),
    ]
    inputs = {"q": [1, 8, 4, 16], "k": [1, 8, 4, 16], "pk": [1, 8, past, 16], "mask": [1, 1, 4, mask]}
    return file(nodes, inputs)


@pytest.mark.parametrize(
    ("past", "dims", "keys"),
    [("past", {"past": 0}, 4), ("past", {"past": 6}, 10), (0, {}, 4), (0, {"pk.2": 6}, 10), (-1, {"pk.2": 0}, 4)],
)
def test_a_cache_may_be_empty(past: int | str, dims: Any, keys: int) -> None:
    assert read(_cache(past), dims=dims).report["macs"] == 8 * 4 * keys * 16


@pytest.mark.parametrize("name", ["past + 4", "4+past", "2 * past - (past - 4)", "Max(past + 4, 1)", "(8 + 2*past)//2"])
def test_a_name_that_is_an_expression_has_the_size_of_its_terms(name: str) -> None:
    assert read(_cache("past", name), dims={"past": 6}).report["macs"] == 8 * 4 * 10 * 16
    with pytest.raises(ProblemError, match=r"--dim past=1\)") as caught:
        read(_cache("past", name))
    assert caught.value.got == {"past": None}
    with pytest.raises(ProblemError, match="fit together") as caught:
        read(_cache("past", name), dims={"past": 6, name: 9})
    assert (caught.value.field, caught.value.got) == ("dims", f"past = 6, {name} = 9: {name} is 10")


def test_an_expression_of_unknown_terms_is_asked_for_as_a_shell_takes_it() -> None:
    with pytest.raises(ProblemError, match=r"--dim 'total - now=1'"):
        read(_cache(6, "total - now"))
    assert read(_cache(6, "total - now"), dims={"total": 12, "now": 2}).report["macs"] == 8 * 4 * 10 * 16
    assert read(_cache(6, "total - now"), dims={"total - now": 10}).report["macs"] == 8 * 4 * 10 * 16


@pytest.mark.parametrize("name", ["audio-features", "a.b", "f(x)", "1e5", "().x", "past +", "(" * 150, "past**2"])
def test_any_other_name_is_a_name(name: str) -> None:
    assert read(_cache(6, name), dims={name: 10}).report["macs"] == 8 * 4 * 10 * 16


def test_an_empty_product_is_no_work_and_a_size_of_0_in_the_file_can_be_given() -> None:
    nodes = [node("MatMul", "x w", "h"), node("MatMul", "y w", "out")]
    data = file(nodes, {"x": [0, 8], "y": [5, 8]}, [weight("w", 8, 4)])
    (asked,) = read(data).report["open_sizes"]
    assert asked == {"name": "x.0", "operator": "an input of size 0"}
    assert [read(data, dims={"x.0": size}).report["macs"] for size in (0, 3)] == [160, 256]
