"""How far cost models are off: that of public measurements (`bench_public`), and that of this machine.

The latter is fitted to a dozen networks of the zoo and asked about others, at one and two threads.

Networks are measured by the agent, as on any device, and kept below `var/`: what was measured on this kind of machine while other
programs used little is not measured again. Remove the folder to begin anew. `--table` prints the table of `docs/measuring.md`.

It also prints how far the same operation differs between networks of one number of threads: what ran before it, caches and how
times are attributed are in that, and a model that looks at operations alone sees none of them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import django

django.setup()

import numpy as np  # noqa: E402

from benchmarks import bench_public  # noqa: E402
from benchmarks.report import Figure, show  # noqa: E402
from engines.cost.calibration.own import About  # noqa: E402
from engines.cost.profiles.measured_operators import operator_report  # noqa: E402
from engines.cost.profiles.measured_profile import Profile, operation_times  # noqa: E402
from engines.cost.profiles.profile_reader import read_profiles  # noqa: E402
from engines.cost.soc.operations import operation_table  # noqa: E402
from engines.workloads.builtins import builtin_networks  # noqa: E402
from engines.workloads.loader import builtin_network  # noqa: E402
from engines.workloads.runnable.build import runnable_network  # noqa: E402
from engines.workloads.runnable.graph import WEIGHTS_FILE  # noqa: E402
from hardware.calibration.loader import load_calibration  # noqa: E402
from hardware.soc.loader import load_soc  # noqa: E402
from webapp.measuring.calibration_networks import FITTED, NEVER_FITTED  # noqa: E402
from webapp.measuring.calibrations import NetworkError, network_errors  # noqa: E402
from webapp.measuring.device_documents import device_documents  # noqa: E402

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
_LEAST_S = 50e-6  # shorter ones are off by the clock's tick and by what ran before
_COLUMNS = ("finer_kinds", "macs", "activation_elements", "weight_elements", "launches")


def result_of(slug: str, threads: int, folder: Path) -> Mapping[str, Any]:
    """Return what the agent measures of a network, or measured before."""
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


@dataclass(frozen=True)
class FitOutcome:
    """What a fit with some threads says.

    Attributes:
        errors: on whole networks that the fit did not see, the worst first.
        operators: what each kind of operation reaches, as `operator_report` gives it.
        blamed: network -> the kind of operation that its estimate is off by most, and by what share of the latency.
    """

    errors: Sequence[NetworkError]
    operators: Sequence[Mapping[str, Any]]
    blamed: Mapping[str, tuple[str, float]]


def calibrated(machine: Mapping[str, Any], threads: int, results: Mapping[str, Mapping[str, Any]]) -> FitOutcome:
    """Fit to the networks that are to be fitted, and ask about all."""
    documents = device_documents("Here", "here", machine, "today")
    soc = next(each for each in documents if each["units"]["cpu"]["cores"] == threads)
    about = About(str(soc["slug"]), "Here", "bench", "measured by the agent", "fp32")
    options = {"soc": soc, "networks": {slug: builtin_networks()[slug] for slug in results}, "about": asdict(about)}
    profiles = [
        {"network": slug, "role": "fitted" if slug in FITTED else "predicted", "result": result}
        for slug, result in results.items()
    ]
    found = read_profiles(json.dumps(profiles).encode(), "bench", options)
    calibration, device = load_calibration(found.content), load_soc(soc)
    blamed = {
        slug: _blamed(operator_report([Profile.of(slug, result)], {slug: builtin_network(slug)}, device, calibration))
        for slug, result in results.items()
    }
    return FitOutcome(network_errors(calibration), found.report["operators"], blamed)


def _blamed(operators: Sequence[Mapping[str, Any]]) -> tuple[str, float]:
    parts = [(str(each["kind"]), each["share"] * (each["estimated_over_measured"] - 1)) for each in operators]
    return max(parts, key=lambda part: abs(part[1]))


def figures_of(threads: int, errors: Sequence[NetworkError]) -> list[Figure]:
    """Return the median and worst of networks left out, and of those never fitted."""
    found = []
    for never, words in ((False, "left out"), (True, "never fitted")):
        offs = [100 * abs(each.off) for each in errors if each.never_fitted == never]
        if offs:
            name = f"{len(offs)} networks {words}, {threads} threads"
            found.append(Figure(f"{name}: median error", median(offs), "%", MEDIAN_LIMIT))
            found.append(Figure(f"{name}: worst error", max(offs), "%", WORST_LIMIT))
    return found


def band_figures(threads: int, errors: Sequence[NetworkError]) -> list[Figure]:
    """Return how many networks never fitted lie within the band that the ones left out give; of normal errors 68 % and 95 % do."""
    logs = {never: [np.log1p(each.off) for each in errors if each.never_fitted == never] for never in (False, True)}
    if not all(logs.values()):
        return []
    band = float(np.sqrt(np.mean(np.square(logs[False]))))
    shares = {count: 100 * float(np.mean(np.abs(logs[True]) <= count * band)) for count in (1, 2)}
    words = f"never fitted, {threads} threads: within {{}} of the band of {np.exp(band):.2f}"
    return [Figure(words.format(f"{count}x"), share, "%") for count, share in shares.items()]


def repeatability(threads: int, results: Mapping[str, Mapping[str, Any]]) -> list[Figure]:
    """Return how much longer the same operation takes in the slower of two networks."""
    found: dict[tuple[Any, ...], dict[str, list[float]]] = {}
    for slug, result in results.items():
        network = builtin_network(slug)
        table = operation_table(network.operations)
        for one in operation_times(Profile.of(slug, result), network):
            if len(one.places) == 1 and table.macs[one.places[0]] and one.latency_s > _LEAST_S:
                work = tuple(getattr(table, column)[one.places[0]] for column in _COLUMNS)
                found.setdefault(work, {}).setdefault(slug, []).append(one.latency_s)
    times = [[median(each) for each in by_network.values()] for by_network in found.values() if len(by_network) > 1]
    offs = [100 * (max(each) / min(each) - 1) for each in times]
    if not offs:
        return []
    name = f"same operation in two networks, {threads} threads ({len(offs)})"
    return [
        Figure(f"{name}: differs in the median", median(offs), "%"),
        Figure(f"{name}: at worst", max(offs), "%"),
    ]


def table_of(machine: Mapping[str, Any], found: Mapping[int, FitOutcome]) -> str:
    """Return the table of the documentation."""
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['runtime']}.",
        "",
        "| threads | networks | median error | worst | which | operator that it is off by most, of the latency |",
        "|---|---|---:|---:|---|---|",
    ]
    for threads, fit in found.items():
        for never, words in ((False, "each left out of the fit"), (True, "never fitted")):
            some = [each for each in fit.errors if each.never_fitted == never]
            first, middle = max(some, key=lambda each: abs(each.off)), median(abs(each.off) for each in some)
            cells = [str(threads), f"{len(some)}, {words}", f"{middle:.1%}", f"{abs(first.off):.1%}"]
            kind, part = fit.blamed[first.network]
            cells += [f"{first.network} ({first.off:+.0%})", f"{kind} ({part:+.0%})"]
            lines.append(f"| {' | '.join(cells)} |".replace("%", " %"))
    return "\n".join(lines)


def tell(found: FitOutcome) -> None:
    """The networks and the kinds of operations that are furthest off."""
    for each in found.errors[:_WORST_NAMED]:
        words = "never fitted" if each.never_fitted else "left out"
        kind, part = found.blamed[each.network]
        told = f"{each.measured_ms:.4g} ms, predicted {each.off:+.1%}, most by {kind} ({part:+.0%} of the latency)"
        print(f"    {each.network} ({words}): {told}")
    for each in sorted(found.operators, key=lambda each: -each["share"] * each["off"])[:_WORST_NAMED]:
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
        status = bench_public.main()
        found: dict[int, FitOutcome] = {}
        for threads in [count for count in THREADS if count in {peak["threads"] for peak in machine["peaks"]}]:
            results = {slug: result_of(slug, threads, folder) for slug in (*FITTED, *NEVER_FITTED)}
            fit = found[threads] = calibrated(machine, threads, results)
            figures = [*figures_of(threads, fit.errors), *band_figures(threads, fit.errors)]
            status = max(status, show([*figures, *repeatability(threads, results)]))
            tell(fit)
        if "--table" in sys.argv:
            print(table_of(machine, found))
    except AgentError as error:
        print(f"  {error}")
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
