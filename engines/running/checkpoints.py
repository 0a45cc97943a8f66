"""Checkpoints as bytes: a zip of numpy arrays plus one msgpack header. Never a pickle.

The header names the engine, its version and the problem's hash, so that nothing is continued by code or for a problem
that it does not belong to.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import msgpack
import numpy as np

from engines.contract.engine import MAX_CHECKPOINT_BYTES
from engines.contract.errors import CheckpointError, ContractError

_FORMAT = 2
_HEADER = "header"
State = Mapping[str, Any]


def pack_checkpoint(engine: str, version: int, problem_hash: str, state: State) -> bytes:
    """Return `state` as bytes.

    Args:
        engine: name of the engine that it belongs to.
        version: version of that engine.
        problem_hash: `Problem.hash()` of what was being run, as it was written down: a release that adds a parameter keeps it.
        state: name -> numpy array (no objects), or anything of JSON (mappings, lists, text, numbers, None).

    Raises:
        ContractError: a value is neither, or the whole is over 1 MB.
    """
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in state.items() if name not in arrays}
    header = {"format": _FORMAT, "engine": engine, "version": version, "problem": problem_hash, "state": plain}
    sink = io.BytesIO()
    try:
        packed = np.frombuffer(msgpack.packb(header), dtype=np.uint8)
        np.savez_compressed(sink, allow_pickle=False, **{_HEADER: packed}, **{f"a_{k}": v for k, v in arrays.items()})
    except (TypeError, ValueError, OverflowError) as error:
        raise ContractError(f"A checkpoint holds numpy arrays and JSON values only: {error}.") from error
    data = sink.getvalue()
    if len(data) > MAX_CHECKPOINT_BYTES:
        raise ContractError(f"A checkpoint must be at most {MAX_CHECKPOINT_BYTES} bytes. Got {len(data)} instead.")
    return data


def unpack_checkpoint(data: bytes, engine: str, version: int, *problem_hashes: str) -> dict[str, Any]:
    """Return the state that `pack_checkpoint` was given with one of these hashes; tuples come back as lists.

    Raises:
        CheckpointError: `data` is no checkpoint, or belongs to another engine, version or problem.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            header = msgpack.unpackb(archive[_HEADER].tobytes())
            arrays = {name[2:]: archive[name] for name in archive.files if name != _HEADER}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, msgpack.UnpackException) as error:
        raise CheckpointError(f"The checkpoint cannot be read: {error}.") from error
    expected = {"format": (_FORMAT,), "engine": (engine,), "version": (version,), "problem": problem_hashes}
    for key, values in expected.items():
        if header.get(key) not in values:
            raise CheckpointError(
                f"The checkpoint's {key} must be {values[0]!r} to be continued. Got {header.get(key)!r} instead. "
                "Another release or another run wrote it. Start a new run from this one."
            )
    return {**header["state"], **arrays}
