"""The engine of docs/adding-an-engine.md, run as it stands there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import registry
from engines.contract.engine import Document
from engines.documents.problems import make_problem
from tests.engines import conformance, random_shares
from tests.engines.conformance import ShufflingExecutor, TinyProblem

PAGE = Path(__file__).parents[2] / "docs" / "adding-an-engine.md"


def code_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def _registered() -> Iterator[None]:
    registry.register("random-shares", random_shares.RandomEngine)
    yield
    registry.unregister("random-shares")


@pytest.fixture
def tiny(_registered: None) -> TinyProblem:
    scale = {"data": Document("data", "heavy", 1, {"scale": 3.0})}
    return TinyProblem(
        make_problem("random-shares", scale, {"evaluations": 230}, seed=1),
        make_problem("random-shares", scale, {"energy_limit_j": 2.0}),
    )


def test_the_page_shows_the_file_whose_types_are_checked() -> None:
    _, _, code = Path(random_shares.__file__).read_text(encoding="utf-8").partition("\n\n")
    assert code_blocks()[0] == code


def test_it_conforms(tiny: TinyProblem) -> None:
    conformance.check_declaration(tiny.engine)
    conformance.check_plan(tiny)
    conformance.check_repeats(tiny, ShufflingExecutor())
    conformance.check_impossible(tiny)
    steps = conformance.run_all(tiny)
    for point in conformance.stopping_points(steps):
        conformance.check_resume(tiny, steps, point)
    conformance.check_child(tiny, steps)
    designs = conformance.designs_of(steps)
    assert len(designs) == 230
    conformance.check_evaluate(tiny, designs)
    conformance.check_explain(tiny, designs)


@pytest.mark.usefixtures("_registered")
def test_the_notebook_example_runs() -> None:
    names = {"RandomEngine": random_shares.RandomEngine}
    exec(code_blocks()[1], names)
    assert len(names["found"].designs) == 500
