"""The loop of the agent: takes jobs one after the other, measures, answers."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paretoscope_agent.errors import LoadedError, MeasurementError, SignatureError, SiteError
from paretoscope_agent.limited import measure_limited
from paretoscope_agent.load import check_load
from paretoscope_agent.measuring import Conditions
from paretoscope_agent.signing import check_file, check_manifest
from paretoscope_agent.site import Site

Tell = Callable[[str], None]
_WAIT_S = 15.0
_NOT_TAKEN = (400, 413)  # what was measured is more than the site takes: measuring it again would not help
_MOST_MEMORY_MB, _MOST_TIME_S = 65_536.0, 3_600.0


@dataclass(frozen=True)
class Worker:
    """An agent that is registered.

    Attributes:
        device, key: as the site answered when it registered.
        accept_load: cores that others may use while it measures.
        tell: gets a line about everything that happens.
    """

    site: Site
    device: int
    key: str
    accept_load: float
    tell: Tell

    def work(self, once: bool) -> int:
        """Measure what there is; with `once` end when nothing is left, else look again. Returns how many jobs were measured."""
        measured = 0
        while True:
            try:
                job = self.site.next_job(self.device)
            except SiteError as error:
                if error.status or once:  # revoked, or a token that has ended: looking again does not help
                    raise
                self.tell(f"{error} Trying again in {_WAIT_S:g} s.")
                job = None
            if job is not None:
                measured += self._do(job)
            elif once:
                return measured
            else:
                time.sleep(_WAIT_S)

    def _do(self, job: Mapping[str, Any]) -> bool:
        check_manifest(self.key, str(job["manifest"]), str(job["signature"]))
        manifest = json.loads(str(job["manifest"]))
        number, lease = int(manifest["job"]), str(manifest["lease"])
        self.tell(f"Job {number}: {manifest['network']}, {manifest['threads']} threads")
        try:
            load = check_load(self.accept_load)
            outcome: dict[str, Any] = {"result": self._measure(manifest), "load_before_cores": load}
        except LoadedError as error:
            self.tell(str(error))
            self.site.answer(number, lease, {"loaded": str(error)})
            raise
        except (MeasurementError, SignatureError) as error:
            self.tell(str(error))
            outcome = {"refused": str(error)}
        try:
            self.site.answer(number, lease, outcome)
        except SiteError as error:
            if error.status not in _NOT_TAKEN or "refused" in outcome:
                raise
            self.tell(str(error))
            outcome = {"refused": str(error)}
            self.site.answer(number, lease, outcome)
        if "result" in outcome:
            latency = outcome["result"]["latency_s"]
            self.tell(f"  {latency['median'] * 1e3:.3f} ms, {latency['count']} repetitions")
        return "result" in outcome

    def _measure(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        data = self.site.network(int(manifest["job"]), str(manifest["lease"]))
        check_file(manifest, data)
        with tempfile.TemporaryDirectory(prefix="paretoscope-agent-") as folder:
            model = Path(folder) / "network.onnx"
            model.write_bytes(data)
            conditions = Conditions(
                threads=int(manifest["threads"]),
                provider=str(manifest["provider"]),
                time_s=float(manifest["repeat_s"]),
                half_width=float(manifest["half_width"]),
            )
            return measure_limited(
                model,
                conditions,
                memory_mb=min(float(manifest["memory_mb"]), _MOST_MEMORY_MB),
                time_s=min(float(manifest["time_s"]), _MOST_TIME_S),
                about=manifest["about"],
            )
