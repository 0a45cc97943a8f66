import io
import pickle
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import CheckpointError, ContractError
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint

BELONGS = ("toy", 1, "ab")
STATE: dict[str, Any] = {
    "archive": np.arange(6.0).reshape(2, 3),
    "counts": np.array([1, 2], dtype=np.int32),
    "flags": np.array([True, False]),
    "names": np.array(["a", "bc"]),
    "empty": np.empty((0, 4)),
    "header": np.array([1]),
    "next_step": 3,
    "best": float("inf"),
    "nested": {"list": [1, None, "x", 2.5]},
}


def test_a_state_comes_back_equal() -> None:
    found = unpack_checkpoint(pack_checkpoint(*BELONGS, STATE), *BELONGS)
    assert set(found) == set(STATE)
    for name, value in STATE.items():
        if isinstance(value, np.ndarray):
            assert found[name].dtype == value.dtype
            np.testing.assert_array_equal(found[name], value)
        else:
            assert found[name] == value


def test_equal_states_give_equal_bytes() -> None:
    assert pack_checkpoint(*BELONGS, STATE) == pack_checkpoint(*BELONGS, STATE)


@pytest.mark.parametrize("other", [("tob", 1, "ab"), ("toy", 2, "ab"), ("toy", 1, "abc")])
def test_a_checkpoint_of_another_engine_version_or_problem_is_refused(other: tuple[str, int, str]) -> None:
    with pytest.raises(CheckpointError, match=r"must be .* Another release or another run wrote it"):
        unpack_checkpoint(pack_checkpoint(*BELONGS, STATE), *other)


def pickled() -> bytes:
    sink = io.BytesIO()
    np.savez(sink, header=np.array([{"an": "object"}], dtype=object))
    return sink.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"rubbish", pickle.dumps({"a": 1}), pickled(), pack_checkpoint(*BELONGS, STATE)[:-40]],
    ids=["empty", "rubbish", "pickle", "pickle in npz", "cut off"],
)
def test_what_is_no_checkpoint_is_refused(data: bytes) -> None:
    with pytest.raises(CheckpointError, match="cannot be read"):
        unpack_checkpoint(data, *BELONGS)


@pytest.mark.parametrize("state", [{"x": object()}, {"x": {1, 2}}, {"x": np.array([object()])}, {"x": 2**70}])
def test_a_state_that_would_need_a_pickle_is_refused(state: dict[str, Any]) -> None:
    with pytest.raises(ContractError, match="numpy arrays and JSON values"):
        pack_checkpoint(*BELONGS, state)


def test_a_checkpoint_over_a_megabyte_is_refused() -> None:
    with pytest.raises(ContractError, match="1000000 bytes"):
        pack_checkpoint(*BELONGS, {"x": np.random.default_rng(1).random(200_000)})
