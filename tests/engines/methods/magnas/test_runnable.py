"""Architectures of vision graph networks that machines run."""

from __future__ import annotations

import pytest

from engines.methods.magnas.search.setup import build_setup
from tests.engines.methods.magnas.problems import search_problem
from tests.engines.runnable_designs import asked


@pytest.mark.parametrize("operator", ["gin", "edge"])
def test_the_network_of_an_architecture_is_one_file_whatever_its_mapping(operator: str) -> None:
    problem = search_problem()
    setup = build_setup(problem)
    architecture = setup.space.smallest(operator)  # type: ignore[arg-type]
    blocks, encoded = setup.table.costs(architecture).blocks, setup.space.encode(architecture)
    found = asked(problem, *({"architecture": encoded, "units": [unit] * blocks} for unit in ("gpu", "dla")), {})
    *designs, refused = found["designs"]
    assert [[piece["share"] for piece in design["pieces"]] for design in designs] == [[1.0], [1.0]]
    (told,) = found["files"].values()
    assert told["about"]["weights_bytes"] > 0 and "architecture" in refused["refused"]
