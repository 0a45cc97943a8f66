import subprocess
import sys
from pathlib import Path

import pytest

from engines.contract.errors import CheckpointError, ContractError, DecisionError, ProblemError, WorkerDiedError
from engines.running.runner.child import failure_of, platform_facts
from engines.running.runner.wire import decode_body, encode_frame

HEAVY = ("scipy", "plotly", "pymoo", "moocore", "django", "dash", "torch", "matplotlib", "multiprocessing.pool", "yaml")
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("error", "category"),
    [
        (ProblemError("params.x", 3, "less"), "problem"),
        (DecisionError("decision.x", 3, "less"), "decision"),
        (CheckpointError("old"), "checkpoint"),
        (ContractError("broken"), "contract"),
        (WorkerDiedError("gone"), "exit"),
        (ZeroDivisionError("division by zero"), "engine"),
    ],
)
def test_an_error_is_told_by_its_category(error: Exception, category: str) -> None:
    failed = failure_of(error)
    assert (failed.category, failed.type, failed.message) == (category, type(error).__name__, str(error))
    assert decode_body(encode_frame(failed)[4:]) == failed


def test_the_facts_of_a_problem_error_are_kept() -> None:
    failed = failure_of(ProblemError("params.x", [1, 2], "fewer"))
    assert (failed.field, failed.got, failed.accepted) == ("params.x", [1, 2], "fewer")


def test_an_object_that_cannot_be_written_is_described() -> None:
    assert failure_of(ProblemError("params.x", {1, 2}, "fewer")).got == "{1, 2}"


def test_a_child_imports_only_what_it_needs() -> None:
    code = "import engines.running.runner.child, sys; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert set(HEAVY) & set(out.split()) == set()


def test_the_platform_is_told() -> None:
    facts = platform_facts("cuda")
    assert {"python", "numpy", "system", "machine"} <= set(facts) and facts["device"] == "cuda"
