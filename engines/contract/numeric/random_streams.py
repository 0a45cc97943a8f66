"""Random streams keyed by a seed and names, the same on every platform and in every process.

A stream is never stored: anyone who needs it again asks for it by the same names. So results cannot depend on how work is
split into batches, on the number of workers, or on where a run was stopped and continued.
"""

from __future__ import annotations

import hashlib
from operator import index

import numpy as np
import numpy.random  # now, in a process that waits for its run, and not within its first step


def random_stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return an independent generator for `seed` and `names` (Philox, keyed by BLAKE2b of both).

    Names are distinguished by type and length: ("a", "b"), ("ab",), (1,) and ("1",) give four different streams. The bits are
    the same for ever; how numpy turns them into normals and so on may change with numpy's feature releases, which is why
    the version of numpy is pinned.

    Args:
        seed: non-negative integer below 2**63.
        *names: what the stream is for ("mutate", generation, individual).

    Raises:
        TypeError: if a name is neither text nor an integer.
    """
    digest = hashlib.blake2b(digest_size=32, person=b"paretoscope")
    for name in (seed, *names):
        part = b"s" + name.encode() if isinstance(name, str) else b"i" + str(index(name)).encode()
        digest.update(len(part).to_bytes(8, "little") + part)
    words = np.frombuffer(digest.digest(), dtype="<u4").tolist()
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(words)))
