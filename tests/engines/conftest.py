import pytest

from engines.contract.engine import Problem
from engines.documents.problems import make_problem
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine


@pytest.fixture(autouse=True)
def _toys(toys: None) -> None:
    """Every test of engines may ask for them by name."""


@pytest.fixture
def toy() -> ToyEngine:
    return ToyEngine()


@pytest.fixture
def toy_without_checkpoints() -> ToyWithoutCheckpointsEngine:
    return ToyWithoutCheckpointsEngine()


@pytest.fixture
def problem() -> Problem:
    return make_problem("toy", {}, {"steps": 6, "designs_per_step": 5}, seed=7)
