"""A run whose batches are computed in two network namespaces with addresses of their own, one of which is cut off."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator

import pytest

from engines.running.cluster import ClusterExecutor
from tests.support.dask_cluster import DaskCluster

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(300)]
PIECES, PIECE_S = 600, 0.05
SPACES = (("paretoscope-a", "10.213.1"), ("paretoscope-b", "10.213.2"))


def piece(shared: float, item: int) -> int:
    time.sleep(shared)
    return item * item


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def namespace(name: str, network: str) -> Iterator[None]:
    """A namespace with the address NETWORK.2, linked to this one, which has NETWORK.1."""
    near = f"ps{network.replace('.', '')}"
    ip("netns", "add", name)
    try:
        ip("link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("addr", "add", f"{network}.1/24", "dev", near)
        ip("link", "set", near, "up")
        ip("-n", name, "addr", "add", f"{network}.2/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        ip("-n", name, "route", "add", "default", "via", f"{network}.1")
        yield
    finally:
        ip("netns", "delete", name)


@pytest.fixture
def namespaces() -> Iterator[None]:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and the command ip")
    with contextlib.ExitStack() as stack:
        try:
            for name, network in SPACES:
                stack.enter_context(namespace(name, network))
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespace can be made here: {error.stderr.decode(errors='replace')}")
        yield


@pytest.mark.usefixtures("namespaces")
def test_a_search_outlives_a_network_that_is_cut() -> None:
    with DaskCluster(host="0.0.0.0") as cluster:
        port = cluster.url.rpartition(":")[2]
        for name, network in SPACES:
            cluster.url = f"tcp://{network}.1:{port}"
            for _ in range(2):
                cluster.add_worker(("ip", "netns", "exec", name))
        cluster.wait_for(4)
        with ClusterExecutor(cluster.url) as executor:
            began = time.monotonic()
            assert executor.map(piece, PIECE_S, range(PIECES)) == [item * item for item in range(PIECES)]
            whole_s = time.monotonic() - began
            cut = subprocess.Popen(["sh", "-c", f"sleep {whole_s / 3}; ip -n {SPACES[0][0]} link set eth0 down"])
            began = time.monotonic()
            assert executor.map(piece, PIECE_S, range(PIECES)) == [item * item for item in range(PIECES)]
            cut.wait()
            print(f"\n{PIECES} pieces of {PIECE_S:g} s on 4 workers: {whole_s:.1f} s; with half of them cut off "
                  f"at a third: {time.monotonic() - began:.1f} s.")  # fmt: skip
