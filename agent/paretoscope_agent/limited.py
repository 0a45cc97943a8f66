"""Measures in a child process with limits on memory and time: a network that crashes or hangs ends nothing but itself."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paretoscope_agent.children import environment
from paretoscope_agent.errors import MeasurementError
from paretoscope_agent.measuring import CPU_PROVIDER, Conditions, draw_weights, measure

_MOST_WORDS = 500


def measure_limited(
    model: Path, conditions: Conditions, *, memory_mb: float, time_s: float, about: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the outcome of `measuring.measure`, run in a child process.

    Args:
        model: an ONNX file.
        conditions: conditions of the measurement.
        memory_mb: addresses of the child, where the processor computes: drivers of others reserve far more than they use.
        time_s: on the clock, all together.
        about: `weights_file`, `weights` and `weights_bytes` of a file whose weights are drawn, `whole_numbers`.

    Raises:
        MeasurementError: the runtime refuses the network, or it took more than its limits.
    """
    asked = {"model": str(model), "conditions": asdict(conditions), "memory_mb": memory_mb, "about": dict(about or {})}
    command = [sys.executable, "-m", "paretoscope_agent.limited"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asked).encode(),
            env=environment(),
            capture_output=True,
            timeout=time_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"The network took more than {time_s:g} s and was ended.") from error
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        words = f"more than {memory_mb:g} MB of memory, or a fault of the runtime ({last[0][:_MOST_WORDS]})"
        raise MeasurementError(f"The process of the measurement ended early: {words}.")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "refused" in answer:
        raise MeasurementError(str(answer["refused"]))
    return answer


def _main() -> None:
    asked = json.loads(sys.stdin.buffer.read())
    model, conditions, about = Path(asked["model"]), Conditions(**asked["conditions"]), asked["about"]
    if conditions.provider == CPU_PROVIDER:
        limit = int(asked["memory_mb"] * 2**20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        if about.get("weights_bytes"):
            draw_weights(model.parent, about["weights_file"], about["weights"], about["weights_bytes"], conditions.seed)
        answer = measure(model, conditions, about.get("whole_numbers"))
    except MeasurementError as error:
        answer = {"refused": str(error)}
    sys.stdout.write("\n" + json.dumps(answer) + "\n")


if __name__ == "__main__":
    _main()
