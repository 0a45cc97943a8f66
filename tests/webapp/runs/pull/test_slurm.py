"""Arrays of workers on a Slurm that is three scripts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.contract.errors import ProblemError
from tests.support.fake_slurm import install_fake_slurm
from webapp.base.flags import Flag
from webapp.runs.pull import slurm
from webapp.runs.pull.slurm import SlurmArrays, SlurmError, SlurmJobs, submit_while_runs_wait


class Waiting:
    """A queue with a number of waiting runs at each look; the last look ends the command."""

    def __init__(self, counts: list[int], leave: Flag) -> None:
        self.counts, self.leave = counts, leave

    def waiting(self, name: str, abilities: frozenset[str]) -> int:
        count = self.counts.pop(0)
        if not self.counts:
            self.leave.set()
        return count


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(slurm, "LOOK_EVERY_S", 0.0)
    monkeypatch.setenv("PATH", f"{install_fake_slurm(tmp_path)}:{os.environ['PATH']}")
    yield tmp_path
    for name in {each.read_text().split()[1] for each in tmp_path.glob("job-*")}:
        SlurmArrays(SlurmJobs(), [], name, tmp_path).cancel()


def test_arrays_are_submitted_while_runs_wait_and_cancelled_at_the_end(state: Path) -> None:
    url = "slurm://short?workers=3&time=2:00:00&cpus=2&mem=4G&account=lab&idle=1m"
    arrays = SlurmArrays(SlurmJobs.read(url), ["sleep", "60"], "paretoscope-test", state / "log")
    leave, told = Flag(), list[str]()
    states = []
    leave = Flag(lambda: bool(states.append(arrays.states().total())))
    submit_while_runs_wait(arrays, Waiting([2, 0, 9, 9], leave), frozenset(), leave, told.append)  # type: ignore[arg-type]
    submitted = [json.loads(each.read_text()) for each in sorted(state.glob("options-*.json"))]
    assert [each["array"] for each in submitted] == ["1-2", "1-1"]  # never more than three
    assert max(states) == 3
    expected = {"partition": "short", "time": "120", "cpus-per-task": "2", "mem": "4G", "account": "lab"}
    assert expected.items() <= submitted[0].items()
    script = (state / "script-4711").read_text()
    assert "export EXECUTOR_URL=\n" in script and script.endswith("exec sleep 60\n")
    assert told[-1].startswith("The jobs are cancelled") and "submitted array 4711 of 2 workers" in told[1]


@pytest.mark.parametrize(
    ("url", "field"),
    [
        ("slurm://short?workers=0", "workers"),
        ("slurm://short?time=soon", "time"),
        ("slurm://short?time=10s", "wall-time"),
        ("slurm://short?colour=red", "EXECUTOR_URL"),
    ],
)
def test_an_address_with_a_wrong_part_names_it(url: str, field: str) -> None:
    with pytest.raises(ProblemError) as refused:
        SlurmJobs.read(url)
    assert field in refused.value.field


def test_workers_start_in_this_installation_or_in_an_image() -> None:
    command = SlurmJobs.read("slurm://").command("https://site", None)
    assert command[1:5] == ["-m", "paretoscope", "worker", "--pull"] and "--wall-time" in command
    image = SlurmJobs.read("slurm://?image=/data/paretoscope.sif").command("https://site", Path("/home/me/token"))
    assert image[:3] == ["apptainer", "exec", "/data/paretoscope.sif"] and image[-8:-6] == [
        "--token-file",
        "/home/me/token",
    ]


def test_a_refusal_of_slurm_and_a_machine_without_it_are_told(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = SlurmArrays(SlurmJobs.read("slurm://missing"), ["true"], "paretoscope-test", state / "log")
    with pytest.raises(SlurmError, match="invalid partition specified: missing"):
        submit_while_runs_wait(arrays, Waiting([1], Flag()), frozenset(), Flag(), lambda text: None)  # type: ignore[arg-type]
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SlurmError, match="login node"):
        arrays.states()
