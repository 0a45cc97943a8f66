import os
from pathlib import Path

import pytest

from engines.running.runner.environment import child_environment, cluster_outage, executor_url


def test_only_chosen_names_pass() -> None:
    parent = {
        "PATH": "/bin",
        "DATABASE_URL": "secret",
        "SECRET_KEY": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "HOME": "/h",
    }
    found = child_environment(parent)
    assert (found["PATH"], found["HOME"]) == ("/bin", "/h")
    assert "secret" not in found.values()


def test_a_child_computes_with_one_thread_and_a_fixed_hash_seed() -> None:
    found = child_environment({})
    assert {found[name] for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")} == {"1"}
    assert found["PYTHONHASHSEED"] == "0"


def test_a_child_finds_the_same_modules() -> None:
    first, second = child_environment({"PYTHONPATH": "/other"})["PYTHONPATH"].split(os.pathsep)
    assert (Path(first) / "engines" / "running" / "runner").is_dir()
    assert second == "/other"


@pytest.mark.parametrize(("given", "url"), [(None, None), ("", None), ("tcp://10.0.0.1:8786", "tcp://10.0.0.1:8786")])
def test_the_cluster_is_the_one_named(monkeypatch: pytest.MonkeyPatch, given: str | None, url: str | None) -> None:
    monkeypatch.delenv("EXECUTOR_URL", raising=False)
    if given is not None:
        monkeypatch.setenv("EXECUTOR_URL", given)
    assert executor_url() == url
    assert child_environment().get("EXECUTOR_URL") == given


def test_what_runs_do_while_it_is_away_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARETOSCOPE_CLUSTER_OUTAGE", "wait ")
    assert child_environment()["PARETOSCOPE_CLUSTER_OUTAGE"] == "wait " and cluster_outage() == "WAIT"
