"""The engine of docs/adding-an-engine.md, run as it stands there."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engines import explore, registry
from engines.contract.engine import Resume
from engines.documents.problems import make_problem
from engines.running.context import LocalContext
from engines.running.design_variants import scored
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.testing import conformance
from engines.testing.conformance import ShufflingExecutor, TinyProblem
from tests.engines import random_shares

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
    return TinyProblem(
        make_problem("random-shares", {}, {"evaluations": 230}, seed=1),
        make_problem("random-shares", {}, {"energy_limit_j": 0.9}),
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


def test_outside_of_this_repository_the_guide_leads_to_a_run_and_its_suite_passes(tmp_path: Path) -> None:
    engine, suite, notebook = code_blocks()
    (project,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for package in ("engines", "hardware"):  # without our tests
        (tmp_path / package).symlink_to(PAGE.parents[1] / package)
    (tmp_path / "random_shares.py").write_text(engine)
    (tmp_path / "test_random_shares.py").write_text(suite)
    (tmp_path / "notebook.py").write_text(notebook)
    ((group, names),) = tomllib.loads(project)["project"]["entry-points"].items()
    installed = tmp_path / "random_shares-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: random-shares\nVersion: 1\n")
    lines = [f"{name} = {path}" for name, path in names.items()]
    (installed / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "PYTEST_ADDOPTS": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    for command in (
        ["notebook.py"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "test_random_shares.py"],
    ):
        ended = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, text=True, capture_output=True, check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.usefixtures("_registered")
class TestLimits:
    def test_designs_beyond_a_limit_are_not_on_the_front(self) -> None:
        found = explore("random-shares", params={"energy_limit_j": 1.2}, seed=1)
        energy = found.designs.columns["energy_j"]
        np.testing.assert_allclose(found.designs.columns["limit_slack"], (1.2 - energy) / 1.2)
        assert found.status == "done" and energy.max() > 1.2
        assert found.front().columns["energy_j"].max() <= 1.2 and found.front().columns["latency_s"].min() >= 1.5

    def test_a_search_without_a_design_within_a_limit_is_infeasible_and_so_it_stays_when_it_goes_on(self) -> None:
        problem = make_problem("random-shares", {}, {"energy_limit_j": 1.000001, "evaluations": 20}, seed=1)
        *before, last = drive(random_shares.RandomEngine(), problem, LocalContext(problem))
        designs = conformance.designs_of(before)
        least = designs.columns["energy_j"].min()
        assert last.infeasible is not None and last.infeasible.demand == least and last.infeasible.bound == 1.000001
        assert last.infeasible.remedies[0][1] == "params.energy_limit_j" and last.message.startswith("No design meets")
        assert before[-1].fraction == 1.0 and before[-1].checkpoint is not None
        resume = Resume(before[-1].checkpoint, designs)
        (again,) = drive(random_shares.RandomEngine(), problem, LocalContext(problem), resume)
        assert again.infeasible == last.infeasible

    def test_a_design_of_ones_own_and_a_moved_one_have_slack(self) -> None:
        problem = make_problem("random-shares", {}, {"energy_limit_j": 1.25})
        assert evaluate(problem, [{"share": 0.5}, {"share": 1.0}]).columns["limit_slack"].tolist() == [0.0, -0.6]
        assert scored(random_shares.RandomEngine(), problem, [{"share": 1.0}])[0]["limit_slack"] == [-0.6]
