"""How far the cost model is off on this machine: fitted to a dozen networks of the zoo, asked about others, at one and two threads.

Networks are measured by the agent, as on any device, and kept below `var/`: what was measured on this kind of machine while other
programs used little is not measured again. Remove the folder to begin anew.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import django

django.setup()

from benchmarks.report import Figure, show  # noqa: E402
from engines.cost.calibration_own import About  # noqa: E402
from engines.cost.profile_reader import read_profiles  # noqa: E402
from engines.workloads.builtins import builtin_networks  # noqa: E402
from engines.workloads.loader import builtin_network  # noqa: E402
from engines.workloads.runnable.build import runnable_network  # noqa: E402
from engines.workloads.runnable.graph import WEIGHTS_FILE  # noqa: E402
from hardware.calibration.loader import load_calibration  # noqa: E402
from webapp.measuring.calibrations import NetworkError, network_errors  # noqa: E402
from webapp.measuring.device_documents import device_documents  # noqa: E402
from webapp.measuring.usual_networks import FITTED, NEVER_FITTED  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "agent"))

from paretoscope_agent.errors import AgentError  # noqa: E402
from paretoscope_agent.limited import measure_limited  # noqa: E402
from paretoscope_agent.load import check_load  # noqa: E402
from paretoscope_agent.machine import probe  # noqa: E402
from paretoscope_agent.measuring import Conditions  # noqa: E402

THREADS = (1, 2)
MEDIAN_LIMIT, WORST_LIMIT = 10.0, 25.0
MOST_LOAD_CORES = 0.2
FOLDER = Path(__file__).resolve().parents[1] / "var" / "bench-measured"
_WORST_NAMED = 3


def result_of(slug: str, threads: int, folder: Path) -> Mapping[str, Any]:
    """What the agent measures of a network, or measured before."""
    kept = folder / f"{slug}-{threads}.json"
    if kept.exists():
        found: Mapping[str, Any] = json.loads(kept.read_text())
        return found
    check_load(MOST_LOAD_CORES)
    network = runnable_network(builtin_network(slug))
    with tempfile.TemporaryDirectory() as place:
        model = Path(place) / "network.onnx"
        model.write_bytes(network.onnx)
        about = {
            "weights_file": WEIGHTS_FILE,
            "weights": [list(asdict(each).values()) for each in network.weights],
            "weights_bytes": network.weights_bytes,
            "whole_numbers": dict(network.whole_numbers),
        }
        result = measure_limited(model, Conditions(threads), memory_mb=8192, time_s=180, about=about)
    kept.write_text(json.dumps(result))
    return result


def calibrated(
    machine: Mapping[str, Any], threads: int, results: Mapping[str, Mapping[str, Any]]
) -> tuple[list[NetworkError], Sequence[Mapping[str, Any]]]:
    """Errors on whole networks that the fit did not see, and what each kind of operation reaches."""
    documents = device_documents("Here", "here", machine, "today")
    soc = next(each for each in documents if each["units"]["cpu"]["cores"] == threads)
    about = About(str(soc["slug"]), "Here", "bench", "measured by the agent", "fp32")
    options = {"soc": soc, "networks": {slug: builtin_networks()[slug] for slug in results}, "about": asdict(about)}
    profiles = [
        {"network": slug, "role": "fitted" if slug in FITTED else "predicted", "result": result}
        for slug, result in results.items()
    ]
    found = read_profiles(json.dumps(profiles).encode(), "bench", options)
    operators: Sequence[Mapping[str, Any]] = found.report["operators"]
    return network_errors(load_calibration(found.content)), operators


def figures_of(threads: int, errors: Sequence[NetworkError]) -> list[Figure]:
    """Median and worst of networks left out, and of those never fitted."""
    found = []
    for never, words in ((False, "left out"), (True, "never fitted")):
        offs = [100 * abs(each.off) for each in errors if each.never_fitted == never]
        if offs:
            name = f"{len(offs)} networks {words}, {threads} threads"
            found.append(Figure(f"{name}: median error", median(offs), "%", MEDIAN_LIMIT))
            found.append(Figure(f"{name}: worst error", max(offs), "%", WORST_LIMIT))
    return found


def tell(errors: Sequence[NetworkError], operators: Sequence[Mapping[str, Any]]) -> None:
    """The networks and the kinds of operations that are furthest off."""
    for each in errors[:_WORST_NAMED]:
        words = "never fitted" if each.never_fitted else "left out"
        print(f"    {each.network} ({words}): {each.measured_ms:.4g} ms, predicted {each.off:+.1%}")
    for each in sorted(operators, key=lambda each: -each["share"] * each["off"])[:_WORST_NAMED]:
        share = f"{each['share']:.0%} of the time"
        print(
            f"    operator {each['kind']}: off by {each['off']:.0%} in the mean, {share}, {each['gmac_per_s']:.1f} GMAC/s"
        )


def main() -> int:
    """Measure, fit, predict, and print."""
    try:
        kind = probe(measure=False).as_json()["kind"][:12]
        folder = FOLDER / str(kind)
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / "machine.json"
        if not kept.exists():
            check_load(MOST_LOAD_CORES)
            kept.write_text(json.dumps(probe().as_json()))
        machine = json.loads(kept.read_text())
        status = 0
        for threads in [count for count in THREADS if count in {peak["threads"] for peak in machine["peaks"]}]:
            results = {slug: result_of(slug, threads, folder) for slug in (*FITTED, *NEVER_FITTED)}
            errors, operators = calibrated(machine, threads, results)
            status = max(status, show(figures_of(threads, errors)))
            tell(errors, operators)
    except AgentError as error:
        print(f"  {error}")
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
