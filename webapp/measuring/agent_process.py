"""The agent of this machine as a process: the same program as on any other device, without the way over the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from webapp.measuring.models import Measurement

_PROBE_TIMEOUT_S, _JOB_TIMEOUT_S = 120, 600


class AgentError(Exception):
    """The agent ended without an answer; the message is its own."""


def probe(accept_load_cores: float) -> tuple[Mapping[str, Any], str]:
    """Return the description of this machine with the version of its agent.

    Args:
        accept_load_cores: cores that other programs may use meanwhile.

    Raises:
        AgentError: the machine is too loaded, or onnxruntime is not installed.
    """
    found = json.loads(_agent(["probe", "--accept-load", str(accept_load_cores)], _PROBE_TIMEOUT_S))
    return found["machine"], str(found["agent"])


def measure(job: Measurement, seconds: float, accept_load_cores: float) -> Mapping[str, Any]:
    """Return the outcome of a measurement job, in the format of the agent.

    Raises:
        AgentError: as `probe`; the runtime refuses the network; it took more than its limits.
    """
    with tempfile.TemporaryDirectory(prefix="paretoscope-") as folder:
        model = Path(folder) / "network.onnx"
        model.write_bytes(bytes(job.network.onnx))
        model.with_suffix(".json").write_text(json.dumps(job.network.about))
        options = ["--threads", str(job.threads), "--seconds", str(seconds), "--accept-load", str(accept_load_cores)]
        options += ["--provider", job.provider]
        found = json.loads(_agent(["measure-files", str(model), *options], _JOB_TIMEOUT_S))[0]
    return {name: value for name, value in found.items() if name not in ("file", "threads")}


def _agent(arguments: list[str], timeout_s: float) -> str:
    paths = [str(Path(settings.BASE_DIR) / "agent"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "paretoscope_agent", *arguments]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired as error:
        raise AgentError(f"The agent took more than {timeout_s:g} s.") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        missing = "No module named 'onnxruntime'" in lines[-1]
        raise AgentError("onnxruntime is not installed: pip install ./agent" if missing else lines[-1])
    return done.stdout
