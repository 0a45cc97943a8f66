"""Ports of this machine for servers that cannot be given a socket that listens already."""

from __future__ import annotations

import random
import socket

# Below those that the system gives to whoever asks for any (32768 and up on Linux): a server that is started again finds its own.
_FIRST, _LAST = 20_000, 32_000


def free_port() -> int:
    """Return a port on which nothing listens, drawn so that two who look at once hardly find the same."""
    for port in random.Random().sample(range(_FIRST, _LAST), 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"100 of the ports from {_FIRST} to {_LAST} are taken.")
