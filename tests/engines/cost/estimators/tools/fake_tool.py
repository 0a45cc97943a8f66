from __future__ import annotations

import sys
from pathlib import Path

from engines.cost.estimators.tools.tool_process import Tool

SCRIPT = """
import json, math, os, sys, time
for question in json.load(sys.stdin):
    with open({log!r}, "a") as log:
        log.write(question["name"] + "\\n")
    if question["name"] == {hangs!r}:
        time.sleep(600)
    if question["name"] == {crashes!r}:
        os._exit(3)
    rows, columns = question.get("sizes") or (question["rows"], question["columns"])
    loops = question["loops"].values() if "loops" in question else question["layer"][:-1]  # without the stride
    cycles = math.prod(loops) / (rows * columns)
    print(json.dumps({{"cycles": cycles, "buffer_accesses": 3 * cycles, "off_chip_accesses": cycles}}), flush=True)
"""


def fake_tool(folder: Path, name: str = "scalesim", *, hangs: str = "", crashes: str = "") -> Tool:
    """A tool with this Python and a script that counts MACs; `log` in the folder has the layers that it was asked for."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(log=str(folder / "log"), hangs=hangs, crashes=crashes))
    tool = Tool(name, "SCALE-Sim", "0", "3.11", folder / "none.lock", script)
    home = folder / f"{name}-0" / "bin"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "python").exists():
        (home / "python").symlink_to(sys.executable)
    return tool


def asked(folder: Path) -> list[str]:
    """The layers that the tool was asked for so far."""
    log = folder / "log"
    return log.read_text().split() if log.exists() else []
