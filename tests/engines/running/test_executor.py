import os
import time

import pytest

from engines.contract.errors import WorkerDiedError
from engines.running import executor as executor_module
from engines.running.executor import InPlaceExecutor, ProcessExecutor, executor_for


def add(shared: int, item: int) -> int:
    return shared + item


def slow_pid(shared: float, item: int) -> int:
    time.sleep(shared)
    return os.getpid()


def fail_at(shared: int, item: int) -> int:
    time.sleep(0.01)
    if item == shared:
        raise ValueError(f"item {item}")
    return item


def die_at(shared: tuple[int, int], item: int) -> int:
    time.sleep(0.02)
    if item == shared[0] and os.getpid() != shared[1]:
        os._exit(1)
    return item


def test_in_place_keeps_the_order() -> None:
    with InPlaceExecutor() as executor:
        assert executor.map(add, 10, [3, 1, 2]) == [13, 11, 12]


def test_work_under_ten_milliseconds_is_done_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert executor_module.IN_PLACE_BELOW_S == 0.010
    monkeypatch.setattr(executor_module, "IN_PLACE_BELOW_S", 60.0)  # no load of the machine can make it slow
    with ProcessExecutor(2) as executor:
        assert set(executor.map(slow_pid, 0.0, range(20))) == {os.getpid()}
        assert executor._pool is None


def test_slow_work_is_done_on_processes_in_order() -> None:
    with ProcessExecutor(2) as executor:
        pids = executor.map(slow_pid, 0.02, range(12))
        assert pids[0] == os.getpid()
        assert os.getpid() not in pids[1:]
        assert executor.map(fail_at, -1, range(40)) == list(range(40))


def test_the_shared_value_of_each_batch_is_the_one_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.running.executor.IN_PLACE_BELOW_S", 0.0)
    with ProcessExecutor(2) as executor:
        for shared in (1, 2, 1):
            assert executor.map(add, shared, range(9)) == [shared + item for item in range(9)]


def test_no_work_is_no_result() -> None:
    with ProcessExecutor(2) as executor:
        assert executor.map(add, 1, []) == []


def test_an_error_in_a_worker_comes_back() -> None:
    with ProcessExecutor(2) as executor, pytest.raises(ValueError, match="item 7"):
        executor.map(fail_at, 7, range(10))


def test_a_worker_that_dies_is_told_and_the_next_batch_works() -> None:
    with ProcessExecutor(2) as executor:
        with pytest.raises(WorkerDiedError, match="ended in the middle"):
            executor.map(die_at, (5, os.getpid()), range(10))
        assert executor.map(die_at, (-1, os.getpid()), range(10)) == list(range(10))


@pytest.mark.parametrize("workers", [0, -1])
def test_less_than_one_worker_is_refused(workers: int) -> None:
    with pytest.raises(ValueError, match="at least one worker"):
        ProcessExecutor(workers)


def test_one_worker_is_in_place() -> None:
    assert isinstance(executor_for(1), InPlaceExecutor)
    assert isinstance(executor_for(2), ProcessExecutor)
