"""Calibrations from a user's own measurements: the parameters that the rows determine, and the fit.

Other parameters stay at their prior: the values of a given calibration, or general defaults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engines.contract.errors import ProblemError
from engines.cost.calibration.defaults import device_defaults
from engines.cost.calibration.estimates import Networks, PreparedRow, estimates, prepare_rows
from engines.cost.calibration.fit import fit_calibration, result_row
from engines.cost.calibration.measurements import AssumedParameter, FittedParameter, MeasuredRow, Measurements
from engines.cost.soc.calibration_lineage import reference_figures
from engines.cost.soc.model import SocCostModel
from engines.workloads.network import COMPUTE_KINDS
from hardware.calibration.device_figures import MEMORY, DeviceFigures, device_figures
from hardware.calibration.model import FINER_KINDS, MOST_OF_A_PROCESSOR, OPERATOR_GROUPS, SocCalibration
from hardware.soc.model import Soc

# Where nothing better is known: order of magnitude, and the factor that counts as one standard deviation.
_GENERAL = {
    "dense_share": (0.3, 3.0),
    "depthwise_share": (0.05, 3.0),
    "memory_share": (0.6, 2.0),
    "launch_us": (20.0, 3.0),
    "weight_memory_share": (0.5, 3.0),
    "unrolled_memory_share": (0.25, 3.0),
    "serial_share": (0.5, 2.0),
    "group_launch_share": (0.2, 3.0),
    "base_power_w": (3.0, 3.0),
    "mac_energy_pj": (5.0, 5.0),
}
_OF_CLOCKS = {
    "leakage_share": (0.5, "not measured: one clock setting"),
    "launch_paced_share": (0.5, "not measured: one clock setting"),
}
# Parts of a whole, which no cache raises above 1.
_PARTS = ("serial_share", "group_launch_share")
_PRIOR_FACTOR = 2.0
_SHARE_FACTOR = 1.5
# As many single-operation rows of one kind tell its own share from that of its group.
_ROWS_FOR_OWN_SHARE = 4
_KINDS_FOR_OWN_SHARE = 2


@dataclass(frozen=True)
class About:
    """The name, author and source of a calibration."""

    slug: str
    title: str
    author: str
    source: str
    precision: str = "fp16"


def own_calibration(
    rows: Sequence[MeasuredRow], soc: Soc, networks: Networks, about: About, prior: SocCalibration | None = None
) -> SocCalibration:
    """Fit a calibration to a user's own rows.

    Args:
        rows: from `engines.cost.calibration.matching.match_rows`.
        soc: the device.
        networks: slug -> network.
        about: name, author and source.
        prior: a calibration of the same device whose values are the priors.

    Raises:
        ProblemError: a row names an unknown unit, network or operation, or the prior belongs to another device.
    """
    if prior is not None and prior.soc not in soc.names:
        raise ProblemError("prior", f"{prior.slug} ({prior.soc})", f"a calibration of {' or '.join(soc.names)}")
    prepared = prepare_rows(rows, soc, networks)
    fitted, assumed = _parameters(prepared, soc, prior)
    return fit_calibration(
        Measurements(
            slug=about.slug,
            title=about.title,
            summary="",
            source=about.source,
            author=about.author,
            soc=soc.slug,
            precision=about.precision,
            launcher=prior.launcher if prior else _launcher(soc),
            fitted=tuple(fitted),
            assumed=tuple(assumed),
            rows=tuple(rows),
            device=_figures(soc, prior),
        ),
        soc,
        networks,
    )


def scaled_calibration(
    base: SocCalibration, rows: Sequence[MeasuredRow], soc: Soc, networks: Networks, about: About
) -> SocCalibration:
    """Return `base` with factors per workload and unit, so that it meets measured totals of whole networks.

    Raises:
        ProblemError: a row measures single operations; only totals of networks can be scaled.
    """
    for row in rows:
        if row.operations or not isinstance(row.runs_on, str) or row.quantity == "power":
            raise ProblemError(f"rows.{row.name}", row.runs_on, "latency or energy of a whole network on one unit")
    prepared = prepare_rows(rows, soc, networks)
    values = estimates(prepared, SocCostModel(soc, base))
    factors: dict[tuple[str, str], dict[str, float]] = {}
    for row, value in zip(rows, values, strict=True):
        factors.setdefault((row.workload, str(row.runs_on)), {})[row.quantity] = row.measured / float(value)
    # Energy follows latency where only latency was measured: the unit's power is taken as it is.
    scales = dict(base.scales)
    for key, found in factors.items():
        latency, energy = base.scales.get(key, (1.0, 1.0))
        more = found.get("latency", 1.0)
        scales[key] = (latency * more, energy * found.get("energy", more))
    # What the base said of them, unscaled: they tell how far it is off on networks that it has not seen.
    mine = tuple(
        replace(result_row(one, float(value), None), role="predicted")
        for one, value in zip(prepared, values, strict=True)
    )
    return replace(
        base,
        slug=about.slug,
        title=about.title,
        soc=soc.slug,
        device=reference_figures(base, soc),
        author=about.author,
        source=f"{about.source}; scaled from {base.slug} ({base.source})",
        rows=(*base.rows, *mine),
        scales=scales,
    )


def _figures(soc: Soc, prior: SocCalibration | None) -> DeviceFigures:
    """Return device's, but the highest clocks that the prior's times per launch, voltages and powers are at, for units of one kind.

    Shares are of the device's own peaks and bandwidth either way.
    """
    own = device_figures(soc)
    if prior is None:
        return own
    reference = reference_figures(prior, soc)
    same = {
        name: hertz
        for name, hertz in reference.highest_hz.items()
        if name == MEMORY or (name in own.kinds and own.kinds[name] == reference.kinds.get(name))
    }
    return replace(own, highest_hz={**own.highest_hz, **same})


def _parameters(
    prepared: Sequence[PreparedRow], soc: Soc, prior: SocCalibration | None
) -> tuple[list[FittedParameter], list[AssumedParameter]]:
    """Return the parameters that the rows determine, to fit, and the others, to assume."""
    fitted: list[FittedParameter] = []
    assumed: list[AssumedParameter] = []
    energy = {unit for one in prepared if one.row.quantity != "latency" for unit in one.units}
    for unit in dict.fromkeys(unit for one in prepared for unit in one.units):
        processor = soc.units[unit].kind == "cpu"
        bound = MOST_OF_A_PROCESSOR if processor else 1
        for figure in _unit_figures(prepared, unit, processor):
            start, factor = _start(unit, figure, prior)
            if unit not in energy and figure in ("base_power_w", "mac_energy_pj"):
                assumed.append(AssumedParameter(f"{unit}.{figure}", start, "no energy was measured on this unit"))
            else:
                fitted.append(FittedParameter(f"{unit}.{figure}", start, factor, _highest(figure, bound)))
    several = len({tuple(one.clocks.at(0).items()) for one in prepared}) > 1
    for name, (value, note) in {**device_defaults(), **_OF_CLOCKS}.items():
        start = prior.value(name) if prior else value
        if several and (name == "launch_paced_share" or (name == "leakage_share" and energy)):
            fitted.append(FittedParameter(name, max(start, 1e-3), _SHARE_FACTOR, 1))
        else:
            assumed.append(AssumedParameter(name, start, prior.parameters[name].note or note if prior else note))
    return fitted, assumed


def _highest(figure: str, bound: float) -> float | None:
    if figure in _PARTS:
        return 1
    return bound if figure.endswith("share") else None


def _unit_figures(prepared: Sequence[PreparedRow], unit: str, processor: bool) -> list[str]:
    """Return the figures of a unit: shares of the groups that ran on it, and of kinds with enough rows of their own.

    Where a processor's rows tell kinds apart, they also tell what its kernels are slowed down by.
    """
    each = [[kind for on, kind in (one.finer_kinds if processor else one.kinds) if on == unit] for one in prepared]
    told: Counter[str] = Counter()
    for one, kinds in zip(prepared, each, strict=True):
        # What a runtime of a processor fuses is often fused with something else elsewhere: such rows tell kinds apart together.
        several = processor and one.row.operations and len(one.units) == 1
        if one.row.quantity == "latency" and (several or len(list(one.kinds)) == 1):
            told.update(set(kinds))
    own = {kind for kind, count in told.items() if count >= _ROWS_FOR_OWN_SHARE}
    own = own if len(own) >= _KINDS_FOR_OWN_SHARE else set()
    coarse = {FINER_KINDS.get(kind, kind) for kinds in each for kind in kinds}
    figures = [f"{group}_share" for group, members in OPERATOR_GROUPS.items() if (coarse - own).intersection(members)]
    for kind in sorted(own):
        computes = FINER_KINDS.get(kind, kind) in COMPUTE_KINDS
        figures += [f"{kind}_share"] if computes else []
        figures += [f"{kind}_memory_share"] if processor or not computes else []
    figures += _slowed_by(prepared, unit) if processor and own else []
    return [*figures, "memory_share", "launch_us", "base_power_w", "mac_energy_pj"]


def _slowed_by(prepared: Sequence[PreparedRow], unit: str) -> list[str]:
    """Return the parameters, beyond shares of peak and bandwidth, that a processor's rows determine."""
    grouped = any(one.most_of(unit, "launches") > 1 for one in prepared)
    unrolled = any(one.most_of(unit, "unrolled_elements") > 0 for one in prepared)
    return [
        "weight_memory_share",
        "serial_share",
        *(["group_launch_share"] if grouped else []),
        *(["unrolled_memory_share"] if unrolled else []),
    ]


def _start(unit: str, figure: str, prior: SocCalibration | None) -> tuple[float, float]:
    if prior is not None and (known := prior.parameters.get(f"{unit}.{figure}")) is not None and known.value > 0:
        return known.value, _PRIOR_FACTOR
    if figure in _GENERAL:
        return _GENERAL[figure]
    group = "memory_share" if figure.endswith("_memory_share") else "dense_share"
    return _start(unit, group, prior)


def _launcher(soc: Soc) -> str:
    """Return the unit that starts the others: the last kind of CPU, as big and little ones are listed in that order of trust."""
    cpus = [name for name, unit in soc.units.items() if unit.kind == "cpu"]
    return cpus[-1] if cpus else next(iter(soc.units))
