import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
import yaml

from engines.contract.errors import WorkerDiedError
from engines.contract.result_json import to_json
from engines.contract.step import Step
from engines.registry import get_engine
from engines.running import cluster as cluster_module
from engines.running.cluster import ClusterExecutor, fingerprint
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.executor import InPlaceExecutor, executor_for
from tests.engines.tiny import tiny_problem
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


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_WITHIN_S", 0.2)
    with ClusterExecutor("tcp://127.0.0.1:9") as executor, pytest.raises(WorkerDiedError, match=r"127\.0\.0\.1:9"):
        executor.map(pid_of, 0.03, range(10))


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


@pytest.mark.long
def test_a_lost_worker_loses_nothing() -> None:
    with DaskCluster(workers=2) as cluster, ClusterExecutor(cluster.url) as executor:
        timer = threading.Timer(0.6, lambda: cluster.workers[0].send_signal(signal.SIGKILL))
        timer.start()
        assert executor.map(slow_square, 0.02, range(150)) == [item * item for item in range(150)]
        cluster.wait_for(1)


@pytest.mark.long
def test_no_worker_left_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "NO_WORKERS_S", 1.0)
    with (
        DaskCluster(workers=1) as cluster,
        ClusterExecutor(cluster.url) as executor,
        pytest.raises(WorkerDiedError, match="worker"),
    ):
        executor.map(end_process, os.getpid(), range(50))


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
    """As in `docs/scaling.md`: one file of dask's configuration for scheduler, workers and runs."""
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
            monkeypatch.setattr(cluster_module, "CONNECT_WITHIN_S", 1.0)
            plain = ClusterExecutor(cluster.url.replace("tls://", "tcp://"))
            with plain, pytest.raises(WorkerDiedError, match="does not answer"):
                plain.map(pid_of, 0.02, range(20))


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
        assert executor._client is not None, "else nothing went to the cluster"
    here = found(InPlaceExecutor())
    assert [step.message for step in there] == [step.message for step in here]
    for ours, theirs in zip(there, here, strict=True):
        assert (ours.designs is None) == (theirs.designs is None)
        assert ours.designs is None or theirs.designs is None or ours.designs.equals(theirs.designs)
        assert [to_json(result) for result in ours.results] == [to_json(result) for result in theirs.results]
