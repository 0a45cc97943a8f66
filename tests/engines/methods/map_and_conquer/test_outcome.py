"""What a run says at its end."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engines.contract.results import Note
from engines.methods.map_and_conquer.outcome import gap_note
from engines.methods.map_and_conquer.search.bounds import Bounds
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.mark.parametrize("method", ["layers", "nsga2"])
def test_the_gap_to_the_bound_is_told_and_an_exact_front_has_the_smaller_one(method: str) -> None:
    params = {
        "method": method,
        "partition_steps": 4,
        "clocks": "fixed",
        "evaluations": 60,
        "population": 20,
        "labels": 5000,
    }
    steps = run_all(TinyProblem(cut_problem(params)))
    note = next(each for each in steps[-1].results if isinstance(each, Note) and each.name == "gap")
    gap = float(re.findall(r"bound: ([\d.]+) %", note.text)[0])
    assert 0 <= gap < 50


def test_a_front_on_the_bound_has_no_gap() -> None:
    params = {"method": "layers", "partition_steps": 4, "clocks": "fixed"}
    designs = designs_of(run_all(TinyProblem(cut_problem(params))))
    one = designs.take([int(np.flatnonzero(designs.of_origin("search"))[0])])
    own = {name: one.columns[name].reshape(1, 1) for name in ("latency_s", "energy_j")}
    note = gap_note(Bounds(own["latency_s"], own["energy_j"]), float(one.columns["accuracy_percent"][0]), one)
    assert note.text.startswith("Gap to a bound: 0.0 %")
