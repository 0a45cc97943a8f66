from __future__ import annotations

import sys
from pathlib import Path

from engines.cost.estimators.tools.tool_process import Tool

SCRIPT = """
import json, os, sys, time
for question in json.load(sys.stdin):
    with open({log!r}, "a") as log:
        log.write(question["name"] + "\\n")
    if question["name"] == {hangs!r}:
        time.sleep(600)
    if question["name"] == {crashes!r}:
        os._exit(3)
    y, x, r, s, c, k, stride = question["layer"]
    cycles = y * x * r * s * c * k / (question["rows"] * question["columns"])
    print(json.dumps({{"cycles": cycles, "buffer_accesses": 3 * cycles, "off_chip_accesses": cycles}}), flush=True)
"""


def fake_tool(folder: Path, *, hangs: str = "", crashes: str = "") -> Tool:
    """A tool with this Python and a script that counts MACs; `log` in the folder has the layers that it was asked for."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(log=str(folder / "log"), hangs=hangs, crashes=crashes))
    tool = Tool("scalesim", "SCALE-Sim", "0", "3.11", folder / "none.lock", script)
    home = folder / "scalesim-0" / "bin"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "python").exists():
        (home / "python").symlink_to(sys.executable)
    return tool


def asked(folder: Path) -> list[str]:
    """The layers that the tool was asked for so far."""
    log = folder / "log"
    return log.read_text().split() if log.exists() else []
