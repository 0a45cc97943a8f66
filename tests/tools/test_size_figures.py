"""What the figures count as what."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engines.registry import BUILT_INS, JOBS
from tools import size_figures


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("engines/methods/m/search_params.py", "parameters"),
        ("engines/methods/m/engine.py", "plumbing"),
        ("engines/methods/m/explain.py", "explaining"),
        ("engines/methods/m/reproduction/engine.py", "reproduction"),
        ("engines/methods/m/power.py", "search and cost"),
        ("engines/chiplets/windows/options.py", "search and cost"),
        ("engines/methods/m/comparison.py", "plumbing"),
    ],
)
def test_a_module_has_one_purpose_by_its_name(path: str, kind: str) -> None:
    assert size_figures.purpose(Path(path)) == kind


def test_functions_of_arrays_are_known_by_what_they_take_or_give() -> None:
    source = "def f(x: FloatArray | None): ...\ndef g(x: int) -> list[float]: ...\ndef h() -> npt.NDArray[int]: ..."
    assert [size_figures.takes_arrays(each) for each in size_figures.functions(ast.parse(source))] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("words", ["Genes, shape `k x 2`.", "Rows (`n x m`).", "Arrays of shapes `n` and `m`."])
def test_a_docstring_gives_a_shape(words: str) -> None:
    assert size_figures.SHAPE.search(words)
    assert not size_figures.SHAPE.search("Genes of the first generation.")


def test_the_engines_of_the_registry_are_found() -> None:
    assert set(size_figures.engine_names(size_figures.ROOT)) == BUILT_INS.keys() - JOBS.keys()


def test_medians_and_deciles_stand_in_one_text() -> None:
    assert size_figures.spread(range(101)) == "50 / 90 / 100"


@pytest.mark.parametrize(
    ("path", "source", "counts"),
    [
        ("engines/costs.py", "def f(): ...", True),
        ("webapp/runs/choices.py", "default = lambda: 1", True),
        ("engines/params.py", "class Params:\n    seed: int = 0", False),
        ("engines/__init__.py", "def f(): ...", False),
        ("webapp/runs/migrations/0001_initial.py", "def forwards(): ...", False),
        ("frontend/ids/run.py", "def cell(): ...", False),
    ],
)
def test_a_module_with_something_to_call_is_to_have_a_test_at_its_path(path: str, source: str, counts: bool) -> None:
    assert size_figures.is_tested_alone(Path(path), source) == counts
