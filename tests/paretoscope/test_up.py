"""`make up` with its real processes; the short tests look at its parts."""

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from paretoscope import up
from paretoscope.up import Phases, UpError

ROOT = Path(__file__).resolve().parents[2]


def processes_using(var: Path) -> dict[int, str]:
    """Process id -> command line of all processes that were started with this folder of run-time data."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"PARETOSCOPE_VAR={var}".encode() in variables and line and int(folder.name) != os.getpid():
            found[int(folder.name)] = line
    return found


def wait_for_line(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout
    seen = ""
    for line in process.stdout:
        seen += line
        if words in line:
            return seen
    raise AssertionError(f"`make up` ended without saying {words!r}. It said:\n{seen}")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[object]:
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            ["make", "up", "TORCH=0", *arguments],
            cwd=ROOT,
            env={**os.environ, "PARETOSCOPE_VAR": str(tmp_path), "MAKEFLAGS": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_once_ends_with_the_result_and_leaves_no_process(start, tmp_path: Path) -> None:
    process = start("ONCE=1")
    output, _ = process.communicate(timeout=280)
    assert process.returncode == 0, output
    assert re.search(r"http://127\.0\.0\.1:\d+/runs/", output), output
    assert "the product's own share" in output
    assert not processes_using(tmp_path)
    again = start("ONCE=1")
    output, _ = again.communicate(timeout=280)
    assert again.returncode == 0, output


@pytest.mark.long
@pytest.mark.timeout(300)
def test_ctrl_c_ends_every_process_and_a_killed_one_comes_back(start, tmp_path: Path) -> None:
    process = start()
    output = wait_for_line(process, "Ctrl-C ends it")
    url = re.search(r"Paretoscope runs at (http://\S+)", output).group(1)

    def answers() -> bool:
        try:
            return urllib.request.urlopen(f"{url}/health/", timeout=30).status == 200
        except OSError:
            return False

    assert answers()
    for pid, line in processes_using(tmp_path).items():
        if "gunicorn" in line:
            os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 600
    while not answers():
        assert time.monotonic() < deadline, "the web server did not come back"
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=100)
    assert not processes_using(tmp_path)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_killed_supervisor_takes_its_processes_along(start, tmp_path: Path) -> None:
    process = start()
    wait_for_line(process, "Ctrl-C ends it")
    os.killpg(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while processes_using(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes_using(tmp_path)


def test_a_second_instance_on_the_same_data_is_told_of_the_first(tmp_path: Path) -> None:
    with (
        up.only_instance(tmp_path),
        pytest.raises(UpError, match=rf"already runs on the data in .* \(process {os.getpid()}\)"),
        up.only_instance(tmp_path),
    ):
        pass
    with up.only_instance(tmp_path):
        pass  # the first one is gone


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(UpError, match="file/var cannot be written: Not a directory"), up.only_instance(file / "var"):
        pass


def test_a_full_disk_is_said_before_anything_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "LEAST_FREE_BYTES", 10**18)
    with pytest.raises(UpError, match=r"MB free; at least .* MB are needed. Make room"), up.only_instance(tmp_path):
        pass


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_passed_over_unless_asked_for(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UpError, match=f"Port {taken} is taken"):
        up.listen(taken)
    with pytest.raises(UpError, match=r"Port 99999 cannot be used \(.*0-65535\.?\). Choose .* --port 9000`"):
        up.listen(99999)
    monkeypatch.setattr(up, "FIRST_PORT", taken)
    monkeypatch.setattr(up, "LAST_PORT", taken + 20)
    with up.listen(None) as listener:
        assert taken < listener.getsockname()[1] <= taken + 20


def test_no_free_port_is_said(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "FIRST_PORT", taken)
    monkeypatch.setattr(up, "LAST_PORT", taken)
    with pytest.raises(UpError, match="make up PORT=9000"):
        up.listen(None)


def test_a_port_is_held_from_the_moment_it_is_chosen() -> None:
    with up.listen(0) as listener, pytest.raises(UpError, match="is taken"):
        up.listen(listener.getsockname()[1])


def test_installations_are_not_the_products_own_share() -> None:
    phases = Phases({"first exploration": 6.0, "torch": 40.0, "web and workers": 4.0})
    assert phases.own_s() == 10.0
    assert "50.0 s in all, the product's own share 10.0 s" in phases.report()


def test_prepare_reads_the_whole_catalogue() -> None:
    from paretoscope import prepare

    words = prepare.count_catalogue()
    assert all(int(count) > 0 for count in re.findall(r"\d+", words)), words
    assert {"hardware", "workload"} <= set(words.split()), words
