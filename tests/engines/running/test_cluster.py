import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
import yaml

from engines.contract.encoding.result_json import to_json
from engines.contract.errors import WorkerDiedError
from engines.contract.progress.step import Step
from engines.registry import get_engine
from engines.running import cluster as cluster_module
from engines.running import cluster_link
from engines.running.cluster import ClusterExecutor, fingerprint
from engines.running.cluster_link import ClusterAwayError
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.executor import InPlaceExecutor, executor_for
from tests.engines.tiny import tiny_problem
from tests.support.cut_network import CutNetwork
from tests.support.dask_cluster import DaskCluster


def add(shared: int, item: int) -> int:
    return shared + item


def pid_of(shared: float, item: int) -> int:
    time.sleep(shared)
    return os.getpid()


def fail_at(shared: int, item: int) -> int:
    time.sleep(0.01)
    if item == shared:
        raise ValueError(f"item {item}")
    return item


def end_process(shared: int, item: int) -> int:
    time.sleep(0.02)
    if os.getpid() != shared:
        os._exit(1)
    return item


def hang_elsewhere(shared: tuple[int, Path], item: int) -> int:
    while os.getpid() != shared[0] and not shared[1].exists():
        time.sleep(0.02)
    return item


def slow_square(shared: float, item: int) -> int:
    time.sleep(shared)
    return item * item


def look_up(shared: float, item: int) -> int:
    time.sleep(shared)
    if item == 3:
        raise FileNotFoundError("no such list")
    return item


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    with DaskCluster(workers=2) as running:
        yield running


@pytest.mark.parametrize("url", ["", "10.0.0.1:8786", "redis://10.0.0.1:6379", "tcp://10.0.0.1", "tcp://:8786"])
def test_what_is_no_address_of_a_scheduler_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="EXECUTOR_URL must be tcp://HOST:PORT"):
        ClusterExecutor(url)


def test_short_batches_stay_in_place_and_need_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "IN_PLACE_BELOW_S", 60.0)  # no load of the machine can make it slow
    with executor_for(4, "tcp://127.0.0.1:9") as executor:
        assert executor.map(add, 1, []) == []
        assert executor.map(pid_of, 0.0, range(20)) == [os.getpid()] * 20


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deadline is short."""
    monkeypatch.setattr(cluster_module, "IN_PLACE_BELOW_S", 0.0)
    monkeypatch.setattr(cluster_module, "_LOOK_S", 0.1)
    for name, seconds in {"CALL_WITHIN_S": 0.4, "LATE_S": 0.1, "FIRST_PAUSE_S": 0.1, "LONGEST_PAUSE_S": 0.1}.items():
        monkeypatch.setattr(cluster_link, name, seconds)


class LogLines:
    """What an executor said."""

    def __init__(self) -> None:
        self.levels: list[str] = []
        self.words: list[str] = []

    def __call__(self, text: str, level: str) -> None:
        self.levels.append(level)
        self.words.append(text)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("listens", [True, False])
def test_a_scheduler_that_is_mute_or_gone_is_named_and_done_without(listens: bool) -> None:
    said = LogLines()
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1] if listens else 9
        with ClusterExecutor(f"tcp://127.0.0.1:{port}", say=said) as executor:
            for _ in range(2):
                assert executor.map(pid_of, 0.01, range(20)) == [os.getpid()] * 20
            link = executor._link
    assert link is not None and not link._thread.is_alive()
    assert said.levels == ["waiting"] and "The cluster gives no results: it" in said.words[0]
    assert f"{port}" not in said.words[0], "visitors read it"


@pytest.mark.usefixtures("impatient")
def test_a_run_that_waits_goes_on_when_the_cluster_answers(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = LogLines()
    with CutNetwork("127.0.0.1", int(cluster.url.rpartition(":")[2])) as network:
        network.cut()
        with ClusterExecutor(f"tcp://127.0.0.1:{network.port}", "WAIT", said) as executor:

            def mend_at_the_second(text: str, level: str) -> None:
                said(text, level)
                if said.levels == ["waiting"] * 2:
                    monkeypatch.setattr(cluster_link, "CALL_WITHIN_S", 60.0)
                    network.mend()

            monkeypatch.setattr(executor, "_say", mend_at_the_second)
            found = executor.map(pid_of, 0.01, range(20))
            assert set(found[1:]) <= {worker.pid for worker in cluster.workers}
            assert said.levels[-1] == "info" and "answers again" in said.words[-1]
            network.cut()  # and lost between two batches
            network.mend()
            assert os.getpid() not in executor.map(pid_of, 0.01, range(20))[1:]


def test_the_code_has_one_fingerprint() -> None:
    assert fingerprint() == fingerprint()
    assert len(fingerprint()) == 32


def test_batches_go_to_workers_in_order_and_errors_come_back(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ClusterExecutor(cluster.url) as executor:
        pids = executor.map(pid_of, 0.02, range(40))
        assert pids[0] == os.getpid()
        assert set(pids[1:]) <= {worker.pid for worker in cluster.workers}
        while len(set(pids[1:])) < len(cluster.workers):  # one of them may have had nothing to say for a second
            pids += executor.map(pid_of, 0.02, range(40))[1:]
        assert executor.map(fail_at, -1, range(30)) == list(range(30))
        with pytest.raises(ValueError, match="item 7"):
            executor.map(fail_at, 7, range(10))
        monkeypatch.setattr(cluster_module, "IN_PLACE_BELOW_S", 0.0)
        with pytest.raises(FileNotFoundError, match="no such list"):  # of the engine, not of the network
            executor.map(look_up, 0.01, range(10))
        for shared in (1, 2, 1):
            assert executor.map(add, shared, range(9)) == [shared + item for item in range(9)]
        monkeypatch.setattr(cluster_module, "fingerprint", lambda: "other")
        with pytest.raises(RuntimeError, match="another version"):
            executor.map(fail_at, -1, range(30))


@pytest.mark.usefixtures("impatient")
def test_what_workers_that_hang_do_not_give_back_is_done_here(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CALL_WITHIN_S", "LATE_S"):
        monkeypatch.setattr(cluster_link, name, 60.0)
    monkeypatch.setattr(cluster_module, "STALLED_S", 0.2)
    said = LogLines()
    with ClusterExecutor(cluster.url, say=said) as executor:
        assert executor.map(hang_elsewhere, (os.getpid(), tmp_path / "end"), range(4)) == list(range(4))
        (tmp_path / "end").touch()
    assert said.levels == ["waiting"] and "nothing has come back for" in said.words[0]


@pytest.mark.usefixtures("impatient")
def test_a_run_that_waits_for_busy_workers_says_so_again(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CALL_WITHIN_S", "LATE_S"):
        monkeypatch.setattr(cluster_link, name, 60.0)
    monkeypatch.setattr(cluster_module, "STALLED_S", 0.2)
    said = LogLines()

    def free_at_the_third(text: str, level: str) -> None:
        said(text, level)
        if said.levels == ["waiting"] * 3:
            (tmp_path / "end").touch()

    with ClusterExecutor(cluster.url, "WAIT", free_at_the_third) as executor:
        assert executor.map(hang_elsewhere, (os.getpid(), tmp_path / "end"), range(4)) == list(range(4))
    assert said.levels == ["waiting"] * 3 + ["info"]


@pytest.mark.usefixtures("impatient")
def test_a_cluster_that_is_lost_again_and_again_is_done_without(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> None:
        raise ClusterAwayError(f"the connection to {cluster.url} was lost")

    for name in ("CALL_WITHIN_S", "LATE_S"):
        monkeypatch.setattr(cluster_link, name, 60.0)
    monkeypatch.setattr(ClusterExecutor, "_collect", lose)
    said = LogLines()
    with ClusterExecutor(cluster.url, say=said) as executor:
        assert executor.map(pid_of, 0.01, range(20)) == [os.getpid()] * 20
    assert said.levels == ["waiting"] and "it was lost 8 times: the connection to the cluster was lost" in said.words[0]
    with ClusterExecutor(cluster.url, "WAIT", said) as executor, pytest.raises(WorkerDiedError, match="lost 8 times"):
        executor.map(pid_of, 0.01, range(20))


@pytest.mark.long
def test_a_lost_worker_loses_nothing() -> None:
    with DaskCluster(workers=2) as cluster, ClusterExecutor(cluster.url) as executor:
        timer = threading.Timer(0.6, lambda: cluster.workers[0].send_signal(signal.SIGKILL))
        timer.start()
        assert executor.map(slow_square, 0.02, range(150)) == [item * item for item in range(150)]
        cluster.wait_for(1)


@pytest.mark.long
def test_no_worker_left_is_said_and_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_link, "SILENT_S", 3.0)
    said = LogLines()
    with DaskCluster(workers=1) as cluster, ClusterExecutor(cluster.url, say=said) as executor:
        assert executor.map(end_process, os.getpid(), range(50)) == list(range(50))
    assert said.levels == ["waiting"]


@pytest.mark.long
def test_pieces_of_a_frozen_worker_go_to_the_others() -> None:
    said = LogLines()
    with DaskCluster(workers=2) as cluster, ClusterExecutor(cluster.url, say=said) as executor:
        assert len(executor.map(slow_square, 0.02, range(40))) == 40, "both workers are known"
        cluster.workers[0].send_signal(signal.SIGSTOP)
        assert executor.map(slow_square, 0.02, range(300)) == [item * item for item in range(300)]
        assert set(executor.map(pid_of, 0.02, range(40))[1:]) == {cluster.workers[1].pid}
    assert said.levels == ["waiting", "info"] and "workers (1) have given no sign for 15 s" in said.words[0]


@pytest.mark.long
def test_workers_that_come_later_find_the_shared_value() -> None:
    with DaskCluster(workers=1) as cluster, ClusterExecutor(cluster.url) as executor:

        def replace() -> None:
            cluster.add_worker()
            cluster.wait_for(2)
            cluster.workers[0].send_signal(signal.SIGKILL)

        thread = threading.Timer(0.5, replace)
        thread.start()
        assert executor.map(slow_square, 0.03, range(200)) == [item * item for item in range(200)]
        thread.join()


@pytest.mark.long
def test_a_scheduler_with_certificates_serves_whom_they_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow `docs/scaling.md`: one file of dask's configuration for scheduler, workers and runs."""
    certificate, key = tmp_path / "cluster.pem", tmp_path / "cluster.key"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=cluster -keyout {key} -out {certificate}"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    each = {"cert": str(certificate), "key": str(key)}
    sides = dict.fromkeys(("scheduler", "worker", "client"), each)
    tls = {"ca-file": str(certificate), **sides}
    settings = {"distributed": {"comm": {"require-encryption": True, "tls": tls}}}
    (tmp_path / "dask.yaml").write_text(yaml.safe_dump(settings))
    monkeypatch.setenv("DASK_CONFIG", str(tmp_path / "dask.yaml"))
    here = {f"distributed.comm.tls.{name}": value for name, value in tls.items()}
    with (
        dask.config.set({**here, "distributed.comm.require-encryption": True}),
        DaskCluster(workers=2, protocol="tls") as cluster,
    ):
        assert cluster.url.startswith("tls://")
        with ClusterExecutor(cluster.url) as executor:
            pids = executor.map(pid_of, 0.02, range(20))
            assert set(pids[1:]) <= {worker.pid for worker in cluster.workers}
        with dask.config.set({"distributed.comm.require-encryption": False}):
            monkeypatch.setattr(cluster_link, "CALL_WITHIN_S", 1.0)
            with ClusterExecutor(cluster.url.replace("tls://", "tcp://")) as plain:
                assert set(plain.map(pid_of, 0.02, range(20))) == {os.getpid()}


@pytest.mark.parametrize("engine", ["seesaw", "package-search"])
def test_a_search_over_a_cluster_finds_the_designs_of_one_in_place(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr(cluster_module, "IN_PLACE_BELOW_S", 0.0)
    problem = tiny_problem(engine).problem

    def found(executor: InPlaceExecutor | ClusterExecutor) -> list[Step]:
        return list(drive(get_engine(engine), problem, LocalContext(problem, executor)))

    with ClusterExecutor(cluster.url) as executor:
        there = found(executor)
        assert executor._link is not None, "else nothing went to the cluster"
    here = found(InPlaceExecutor())
    assert [step.message for step in there] == [step.message for step in here]
    for ours, theirs in zip(there, here, strict=True):
        assert (ours.designs is None) == (theirs.designs is None)
        assert ours.designs is None or theirs.designs is None or ours.designs.equals(theirs.designs)
        assert [to_json(result) for result in ours.results] == [to_json(result) for result in theirs.results]
