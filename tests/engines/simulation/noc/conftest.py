"""The first cycle of a checkout compiles the simulation: ten seconds of a processor, which are no test's own."""

import pytest

from engines.simulation.noc.precompilation import compile_once


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    compile_once()
