"""The engine of docs/adding-an-engine.md, run as it stands there."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from engines import registry
from engines.contract.engine import Document
from engines.documents.problems import make_problem
from tests.engines import conformance
from tests.engines.conformance import ShufflingExecutor, TinyProblem

PAGE = Path(__file__).parents[2] / "docs" / "adding-an-engine.md"


def code_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The first block of the page as a module that can be imported by name."""
    (tmp_path / "documented_engine.py").write_text(code_blocks()[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # for a run's child process
    import documented_engine  # type: ignore[import-not-found]

    registry.register("random-shares", documented_engine.RandomEngine)
    yield documented_engine
    registry.unregister("random-shares")
    registry._load.cache_clear()
    del sys.modules["documented_engine"]


@pytest.fixture
def tiny(documented: ModuleType) -> TinyProblem:
    scale = {"data": Document("data", "heavy", 1, {"scale": 3.0})}
    return TinyProblem(
        make_problem("random-shares", scale, {"evaluations": 230}, seed=1),
        make_problem("random-shares", scale, {"energy_limit_j": 2.0}),
    )


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


def test_the_notebook_example_runs(documented: ModuleType) -> None:
    names = {"RandomEngine": documented.RandomEngine}
    exec(code_blocks()[1], names)
    assert len(names["found"].designs) == 500
