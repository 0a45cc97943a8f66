"""SIGTERM as it comes where several pass it on: thrice within three milliseconds."""

import os
import random
import signal
import time


def burst(pid: int, chance: random.Random) -> None:
    """Send it to a child of this process, of which something stays until it is waited for."""
    for _ in range(3):
        os.kill(pid, signal.SIGTERM)
        time.sleep(chance.uniform(0.0, 0.0015))
