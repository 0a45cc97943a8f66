"""Children find the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from paretoscope_agent.children import environment


def test_a_child_imports_the_package_from_anywhere(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import paretoscope_agent, os; print(os.environ['MORE'])"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(MORE="x"), capture_output=True, text=True, check=True)
    assert done.stdout == "x\n"
