import errno
import os
import subprocess
import sys
import tempfile
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
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "engine"),
    ],
)
def test_an_error_is_told_by_its_category(error: Exception, category: str) -> None:
    failed = failure_of(error)
    assert (failed.category, failed.type, failed.message) == (category, type(error).__name__, str(error))
    assert decode_body(encode_frame(failed)[4:]) == failed


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "The machine's disk is full: [Errno 28] No space left"),
        (errno.EDQUOT, "no room left for this account"),
        (errno.EIO, "cannot be read or written"),
        (errno.EMFILE, "as many files open"),
        (errno.ENFILE, "as many files open"),
    ],
)
def test_what_the_machine_lacks_is_no_error_of_the_engine(number: int, words: str) -> None:
    failed = failure_of(OSError(number, os.strerror(number)))
    assert (failed.category, failed.type) == ("machine", "OSError") and words in failed.message


def test_what_the_machine_lacks_is_found_behind_what_was_raised_from_it() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    for raised in (raised_from(full), raised_while(full)):
        assert failure_of(raised).category == "machine" and "disk is full" in failure_of(raised).message
    hidden = raised_while(full)
    hidden.__suppress_context__ = True
    assert failure_of(hidden).category == "engine"


def test_without_any_folder_for_temporary_files_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr("tempfile._os.open", full)
    with pytest.raises(FileNotFoundError) as caught:
        tempfile.gettempdir()
    assert failure_of(caught.value).category == "machine"


def raised_from(error: Exception) -> Exception:
    try:
        raise ValueError("no file") from error
    except ValueError as raised:
        return raised


def raised_while(error: Exception) -> Exception:
    try:
        try:
            raise error
        except OSError:
            raise RuntimeError("writing failed")  # noqa: B904  as native libraries do
    except RuntimeError as raised:
        return raised


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
