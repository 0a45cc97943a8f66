"""The start of processes that load their modules while another one prepares the database (`paretoscope up`)."""

from __future__ import annotations

import time
from pathlib import Path

_LOOK_EVERY_S = 0.05


def wait_for_preparation(file: str) -> None:
    """Wait until `file` exists (`PARETOSCOPE_START_AFTER`); "" waits for nothing.

    The program that started this process ends it where the file will never exist.
    """
    while file and not Path(file).exists():
        time.sleep(_LOOK_EVERY_S)
