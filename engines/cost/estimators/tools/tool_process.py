"""Other tools as child processes: their environments, and questions to them within limits on time and memory.

A tool is a package with a pinned lock, a Python version of its own, and a script that the product ships. The script reads one
JSON document of questions and writes one line of JSON per answer, so that answers before a crash are kept.
"""

from __future__ import annotations

import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.contract.errors import EngineError, ProblemError

_HERE = Path(__file__).parent
_INSTALL_S = 1800.0
# Of a child: it knows neither settings of the site nor packages of the product.
_ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Tool:
    """A package of others.

    Attributes:
        name: name in commands.
        title: title in messages.
        version: version of the package.
        python: version that it needs ("3.11").
        lock: file with its pinned packages.
        script: script that answers questions, run by its own Python.
    """

    name: str
    title: str
    version: str
    python: str
    lock: Path
    script: Path


@dataclass(frozen=True)
class ToolLimits:
    """Bounds of a child process: seconds per answer, and memory."""

    answer_s: float = 600.0
    memory_mb: int = 8192


class ToolError(EngineError):
    """A tool crashed, took too long, or gave no answer; the message names the layer."""

    code = "tool-failed"


TOOLS: Mapping[str, Tool] = {
    "scalesim": Tool(
        "scalesim", "SCALE-Sim", "3.0.0", "3.11", _HERE / "scalesim.lock", _HERE / "scalesim_script.py"
    ),
    "zigzag": Tool("zigzag", "ZigZag", "3.9.1", "3.11", _HERE / "zigzag.lock", _HERE / "zigzag_script.py"),
}  # fmt: skip


def tool_named(name: str, field: str = "tool") -> Tool:
    """Return the tool of a name; raises `ProblemError` that lists all for an unknown one."""
    if name not in TOOLS:
        raise ProblemError(field, name, f"one of {', '.join(TOOLS)}")
    return TOOLS[name]


def is_installed(tool: Tool, folder: Path) -> bool:
    """Return whether the environment of a tool is complete."""
    return _home(tool, folder).exists()


def python_of(tool: Tool, folder: Path) -> Path:
    """Return the interpreter of an installed tool.

    Raises:
        ProblemError: it is not installed, or another version is.
    """
    if not is_installed(tool, folder):
        ways = [f"Install it: manage.py estimators install {tool.name}."]
        reason = f"{tool.title} is not installed."
        raise ProblemError("estimators", tool.name, "an installed tool", reason=reason, remedies=ways)
    return _home(tool, folder) / "bin" / "python"


def install(tool: Tool, folder: Path) -> Path:
    """Make the environment of a tool below `folder` and return it; one that is complete stays as it is.

    Raises:
        ProblemError: its Python version is not on this machine.
        ToolError: a package cannot be installed; nothing is left then.
    """
    home = _home(tool, folder)
    if is_installed(tool, folder):
        return home
    interpreter = _interpreter(tool)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{home.name}.{os.getpid()}"
    try:
        _run([interpreter, "-I", "-m", "venv", str(unfinished)])
        pip = [str(unfinished / "bin" / "python"), "-I", "-m", "pip", "install", "--quiet", "--no-deps"]
        _run([*pip, "--requirement", str(tool.lock)])
        unfinished.rename(home)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return home


def ask_tool(
    tool: Tool, python: Path, questions: Sequence[Mapping[str, Any]], limits: ToolLimits
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each question, in their order, as soon as the child has it.

    Raises:
        ToolError: the child ended or took longer than allowed; names the question by its `name`.
    """
    child = subprocess.Popen(
        [str(python), "-I", str(tool.script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=_ENVIRONMENT, start_new_session=True, preexec_fn=lambda: _limit(limits.memory_mb),  # noqa: PLW1509
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    try:
        with suppress(BrokenPipeError), child.stdin as stream:  # a child that ended gives no answer below
            stream.write(json.dumps(list(questions)).encode())
        lines = _Lines(child.stdout.fileno())
        for question in questions:
            line = lines.next(limits.answer_s)
            if line is None:
                ended = child.poll() is not None or lines.ended
                why = (
                    f"ended at {question['name']}"
                    if ended
                    else f"took over {limits.answer_s:g} s for {question['name']}"
                )
                raise ToolError(f"{tool.title} {why}. Costs of earlier layers are kept. Choose another cost model.")
            yield dict(json.loads(line))
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.stdout.close()
        child.wait()


class _Lines:
    """Lines of a pipe, each waited for at most so long."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._rest, self.ended = descriptor, b"", False

    def next(self, wait_s: float) -> bytes | None:
        """Return the next whole line; None where none comes in time, or the pipe ended."""
        deadline = time.monotonic() + wait_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(deadline - time.monotonic(), 0)):
                    return None
                part = os.read(self._descriptor, 1 << 16)
                if not part:
                    self.ended = True
                    return None
                self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line


def _home(tool: Tool, folder: Path) -> Path:
    return folder / f"{tool.name}-{tool.version}"


def _interpreter(tool: Tool) -> str:
    name = f"python{tool.python}"
    found = shutil.which(name)
    if found is None or subprocess.run([found, "--version"], capture_output=True, check=False).returncode:
        ways = [f"Install Python {tool.python}, so that {name} runs."]
        raise ProblemError("tool", tool.name, f"a tool whose Python {tool.python} is on this machine", remedies=ways)
    return found


def _run(command: Sequence[str]) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_S, check=False)
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or ["no message"])[-1]
        raise ToolError(f"The installation failed, and nothing of it was kept: {last}")


def _limit(memory_mb: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(10)
