"""Repetition of the suite: real pytest runs of a small suite."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.file_order import shuffle_files
from tools import flaky

# `test_passes_once` fails in the second run, as the first one leaves a file.
SUITE = {
    "test_second.py": """
        import pathlib
        HERE = pathlib.Path(__file__).parent
        def test_passes_once():
            first = not (HERE / "mark").exists()
            (HERE / "mark").touch()
            assert first, "the mark is there"
        def test_passes():
            pass
        """,
    "test_crash.py": "def test_breaks():\n    assert 1 == 2, 'always'\n",
}


@pytest.fixture
def small_suite(tmp_path: Path) -> Path:
    for name, text in SUITE.items():
        (tmp_path / name).write_text("\n".join(line.removeprefix(" " * 8) for line in text.splitlines()))
    return tmp_path


def test_tests_that_did_not_always_pass_are_listed_with_their_tracebacks(
    small_suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flaky, "RESULTS", small_suite / "results")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # quick to start
    (small_suite / "pytest.ini").write_text("[pytest]\n")
    status = flaky.main(["--runs=2", "-p", "tests.support.file_order", str(small_suite)])
    text = capsys.readouterr().out
    assert status == 1
    assert "seed 1, 0 busy processes: 2 passed, 0 skipped, 1 failed" in text
    assert "seed 2, 2 busy processes: 1 passed, 0 skipped, 2 failed" in text
    assert "test_second::test_passes_once: not passed in run 2 of 2" in text and "the mark is there" in text
    assert "test_crash::test_breaks: not passed in run 1, 2 of 2" in text
    assert "2 tests did not pass in every run." in text and "test_passes:" not in text


def outcomes(**verdicts: str) -> flaky.Run:
    return {name: flaky.Outcome(verdict) for name, verdict in verdicts.items()}


def test_a_test_that_one_run_skips_or_lacks_is_unstable() -> None:
    runs = [outcomes(a="passed", b="passed", c="skipped"), outcomes(a="skipped", c="skipped")]
    assert flaky.unstable_tests(runs) == {"a": [2], "b": [2]}


def test_a_run_that_pytest_cannot_begin_is_listed_with_what_it_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    run = flaky.run_suite(["-c", "/dev/null", "--noconftest", str(tmp_path / "none")], 3, tmp_path)
    ((name, outcome),) = run.items()
    assert name == "run 3 ended with status 4" and "file or directory not found" in outcome.traceback


def test_a_suite_that_always_passes_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert flaky.print_report([outcomes(a="passed", b="skipped")] * 3) == 0
    assert "Every test passed in every run." in capsys.readouterr().out


def test_files_are_shuffled_whole_and_alike_for_the_same_seed() -> None:
    items = [SimpleNamespace(path=f"test_{letter}.py", at=at) for letter in "abcdefgh" for at in range(3)]
    shuffled = []
    for seed in (5, 5, 6):
        order = list(items)
        shuffle_files(order, seed)  # type: ignore[arg-type]
        shuffled.append(order)
    assert shuffled[0] == shuffled[1] != shuffled[2]
    assert [item.at for item in shuffled[0]] == [0, 1, 2] * 8
    assert [item.path for item in shuffled[0]] != [item.path for item in items]
