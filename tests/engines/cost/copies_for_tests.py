from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from hardware.calibration.device_figures import device_figures
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import load_soc
from hardware.soc.model import Soc
from tests.engines.cost.soc_for_tests import board, board_content, calibration

MAGNAS = load_calibration(builtin_calibrations()["xavier-magnas"])


def copied(**changes: Any) -> Soc:
    """The board of the tests under another name, copied from it; changes by dotted key with "__"."""
    content = {**copy.deepcopy(board_content()), "slug": "copied", "lineage": ["copied", "board"]}
    for path, value in changes.items():
        *sections, last = path.split("__")
        target: Any = content
        for section in sections:
            target = target[section]
        target[last] = value
    return load_soc(content)


def fitted(**changes: float) -> Any:
    """The calibration of the board, which says what the board was."""
    return replace(calibration(**changes), device=device_figures(board()))
