"""Results are the same on every processor: sums in one order, and nothing in the engines that leaves the order to a library."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engines.contract.numeric.ordered_sums import product_in_order

ROOT = Path(__file__).resolve().parents[4]
# Products whose last digit decides nothing.
PRODUCTS = {
    "engines/cost/calibration/estimates.py": "sparse matrices, whose sums are in order",
    "engines/cost/calibration/fit.py": "a fit, whose figures are shown with few digits",
    "engines/survey/measurements/fit.py": "a fit, whose figures are stored with few digits",
    "engines/survey/measurements/prediction.py": "times from such a fit, with bands of many per cent",
    "engines/methods/hadas/exit_measurements.py": "whole numbers",
    "engines/supernets/layers.py": "a network that is trained",
    "engines/methods/package_search/packages/symmetry.py": "whole numbers",
    "engines/methods/package_search/search/bounds.py": "whole numbers",
}
_DIGEST = """
import hashlib
import numpy as np
from engines.contract.numeric.ordered_sums import product_in_order
random = np.random.default_rng(1)
found = product_in_order(random.random(3), random.random((3, 500)))
print(hashlib.sha256(found.tobytes()).hexdigest())
"""


def test_it_is_the_matrix_product() -> None:
    random = np.random.default_rng(2)
    for left, right in (((3,), (3,)), ((3,), (3, 5)), ((4, 3), (3,)), ((4, 3), (3, 5)), ((0, 3), (3,)), ((0,), (0, 2))):
        one, other = random.random(left), random.random(right)
        assert product_in_order(one, other) == pytest.approx(one @ other)
        assert product_in_order(one, other).shape == np.shape(one @ other)
    assert product_in_order([[1, 2], [3, 4]], (0.5, 0.25)).tolist() == [1.0, 2.5]


def test_terms_are_added_one_by_one() -> None:
    terms = [0.1, 0.2, 0.3, 1e16, -1e16, 0.7]
    total = 0.0
    for term in terms:
        total += term
    assert product_in_order(np.ones(len(terms)), terms) == total


def test_sides_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="must be as long as"):
        product_in_order(np.ones((2, 3)), np.ones(2))


def test_other_processors_find_the_same_digits() -> None:
    def found(**given: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **given}
        return subprocess.run(
            [sys.executable, "-c", _DIGEST], env=environment, check=True, capture_output=True, text=True
        ).stdout

    # What OpenBLAS and numpy do without what this processor has beyond the first of its kind.
    assert found() == found(OPENBLAS_CORETYPE="Nehalem", NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR")


def trees() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("engines", "hardware"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())


def test_no_engine_leaves_the_order_of_its_sums_to_a_library() -> None:
    calls = {"dot", "vdot", "inner", "matmul", "tensordot", "einsum"}
    found = {
        name
        for name, tree in trees()
        for node in ast.walk(tree)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
        or (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in {("np", each) for each in calls}
        )
    }
    assert found == set(PRODUCTS), "use engines.contract.numeric.ordered_sums.product_in_order"


def test_ties_are_ordered_by_their_places() -> None:
    """An unstable sort, which processors with wider registers do otherwise, orders equal values as it likes."""
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr == "argpartition" or (node.func.attr == "argsort" and not _is_stable(node)))
    ]
    assert not found


def _is_stable(call: ast.Call) -> bool:
    kinds = [word.value for word in call.keywords if word.arg in ("kind", "stable")]
    return any(isinstance(kind, ast.Constant) and kind.value in ("stable", True) for kind in kinds)
