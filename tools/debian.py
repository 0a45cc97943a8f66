"""Debian's packages that some tests need, installed once where that is possible."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def install(package: str, purpose: str) -> str:
    """Install a package of Debian's, telling the person at the terminal. Returns "" or why that was not possible.

    Args:
        package: name of the package.
        purpose: purpose in words: "the browser tests".
    """
    release = Path("/etc/os-release")
    if not release.exists() or "ID=debian" not in release.read_text().splitlines():
        return "not a Debian system"
    if os.geteuid() != 0:
        return "apt-get needs root"
    print(f"Installing Debian's {package} for {purpose} (once)", flush=True)
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", package]):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if result.returncode:
            return f"{' '.join(command)} failed: {(result.stderr or result.stdout).strip()[-300:]}"
    return ""
