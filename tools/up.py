"""`make up`: the environment of the checkout, then `paretoscope up` in it.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from paretoscope import supervisor  # noqa: E402
from tools import environment  # noqa: E402


def install() -> int:
    """Install the packages unless that is done. Returns 0, 1 with the reason on the terminal, or 130 after Ctrl-C."""
    supervisor.adopt_orphans()
    supervisor.heed_signals()
    try:
        environment.ensure("base", supervisor.call, supervisor.pause)
    except environment.SetupError as error:
        print(error)
        return 1
    except supervisor.Interruption:
        supervisor.sweep()
        return 130
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    if status := install():
        sys.exit(status)
    os.execv(environment.PYTHON, [str(environment.PYTHON), "-m", "paretoscope", "up", *sys.argv[1:]])
