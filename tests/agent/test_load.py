"""What else the machine does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from paretoscope_agent.errors import LoadedError
from paretoscope_agent.load import check_load, cores


def test_a_busy_machine_is_refused_with_its_load() -> None:
    endless = [sys.executable, "-c", "print('on', flush=True)\nwhile True: pass"]
    with subprocess.Popen(endless, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == b"on\n"
            with pytest.raises(LoadedError, match=r"other programs use \d+\.\d\d of \d+ cores, at most 0"):
                check_load(0.0, 0.5)
        finally:
            other.kill()


def test_what_is_accepted_is_told() -> None:
    assert 0 <= check_load(999.0, 0.05) < 999
    assert cores() == sorted(set(cores()))
