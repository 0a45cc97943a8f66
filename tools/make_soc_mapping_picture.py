"""Redraws docs/images/soc-mapping.svg from runs: the exact front of ViG-S on Xavier, what NSGA-II met, and mappings as strips.

python tools/make_soc_mapping_picture.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.contract.designs import Designs
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "soc-mapping.svg"
WIDTH, HEIGHT = 1180, 470
PLOT = (70, 60, 470, 330)  # x, y, width, height
LATENCY_MS, ENERGY_MJ = (20.0, 44.0), (180.0, 480.0)
STRIPS = (620, 84, 520, 26)  # x, y, width, height of a bar
GPU, DLA, SEARCH = "#3056d3", "#0f766e", "#b45309"
COLOURS = {"gpu": GPU, "dla": DLA}
STYLE = (
    "text{font-family:Inter,system-ui,sans-serif;fill:#1b2330}.t{font-size:15px;font-weight:600}.l{font-size:12px}"
    ".s{font-size:11px;fill:#5b6472}.w{fill:#fff;font-size:12px;font-weight:600}"
)


def solved(**params: Any) -> Designs:
    """Return the ViG-S with GIN on Jetson AGX Xavier."""
    inputs = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": get_builtin("workload", "magnas-vig-s-gin"),
    }
    problem = make_problem("soc-mapping", inputs, params, seed=1)
    steps = drive(get_engine("soc-mapping"), problem, LocalContext(problem))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def picture(exact: Designs, met: Designs) -> str:
    """Return the whole picture."""
    parts = [
        *_axes(),
        *_points(met, SEARCH, 2.0, 0.35),
        *_points(exact, GPU, 1.8, 1.0),
        *_alone(exact),
        *_legend(exact),
    ]
    parts += _strips(_chosen(exact))
    words = "Exact front of ViG-S with GIN on GPU and DLA of Xavier, the mappings that published NSGA-II met, and five mappings."
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
            f'<title id="title">{escape(words)}</title><style>{STYLE}</style>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fafbfc"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _place(latency_s: float, energy_j: float) -> tuple[float, float]:
    x, y, width, height = PLOT
    across = (1e3 * latency_s - LATENCY_MS[0]) / (LATENCY_MS[1] - LATENCY_MS[0])
    up = (1e3 * energy_j - ENERGY_MJ[0]) / (ENERGY_MJ[1] - ENERGY_MJ[0])
    return x + across * width, y + height - up * height


def _points(designs: Designs, colour: str, radius: float, opacity: float) -> list[str]:
    points = designs.matrix(("latency_s", "energy_j"))[np.array(designs.origin) == "search"]
    dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in dict.fromkeys(_place(*point) for point in points.tolist()))
    style = (
        f'stroke="{colour}" stroke-width="{2 * radius}" stroke-opacity="{opacity}" stroke-linecap="round" fill="none"'
    )
    return [f'<path d="{dots}" {style}/>']


def _alone(designs: Designs) -> list[str]:
    parts = []
    for row, label in enumerate(designs.label):
        if label:
            x, y = _place(*designs.matrix(("latency_s", "energy_j"))[row].tolist())
            box = f'x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"'
            parts.append(f'<rect {box} fill="none" stroke="#1b2330" stroke-width="2"/>')
            parts.append(f'<text class="l" x="{x + 10:.1f}" y="{y - 8:.1f}">{escape(label)}</text>')
    return parts


def _axes() -> list[str]:
    x, y, width, height = PLOT
    parts = [f'<text class="t" x="{x}" y="34">Latency and energy of one inference</text>']
    for latency in range(20, 45, 5):
        at, _ = _place(latency / 1e3, 0.2)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y}" y2="{y + height}" stroke="#e6e9ee"/>')
        parts.append(f'<text class="s" x="{at:.1f}" y="{y + height + 18}" text-anchor="middle">{latency} ms</text>')
    for energy in range(200, 481, 50):
        _, at = _place(0.02, energy / 1e3)
        parts.append(f'<line x1="{x}" x2="{x + width}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e6e9ee"/>')
        parts.append(f'<text class="s" x="{x - 8}" y="{at + 4:.1f}" text-anchor="end">{energy} mJ</text>')
    return parts


def _legend(exact: Designs) -> list[str]:
    count = int((np.array(exact.origin) == "search").sum())
    rows = ((GPU, f"exact front, {count} mappings"), (SEARCH, "2,000 mappings of NSGA-II as published"))
    parts = []
    for number, (colour, words) in enumerate(rows):
        y = HEIGHT - 38 + 18 * number
        parts.append(
            f'<circle cx="78" cy="{y}" r="4" fill="{colour}"/><text class="l" x="90" y="{y + 4}">{words}</text>'
        )
    return parts


def _chosen(exact: Designs) -> list[tuple[str, Mapping[str, Any], dict[str, float]]]:
    """Return the mappings of the front: the least energy within so much more latency than the GPU alone."""
    alone_s = float(exact.columns["latency_s"][list(exact.label).index("GPU alone")])
    found = []
    for slack in (5, 20, 40, 60, None):
        within = np.array(exact.origin) == "search"
        if slack is not None:
            within &= exact.columns["latency_s"] <= alone_s * (1 + slack / 100)
        row = int(np.flatnonzero(within)[exact.columns["energy_j"][within].argmin()])
        words = "Least energy of all" if slack is None else f"Least energy, at most {slack} % above GPU alone"
        figures = {name: float(exact.columns[name][row]) for name in ("latency_s", "energy_j", "transitions")}
        found.append((words, exact.decisions[row], figures))
    return found


def _changes(count: float) -> str:
    return "1 change" if count == 1 else f"{count:.0f} changes"


def _strips(chosen: list[tuple[str, Mapping[str, Any], dict[str, float]]]) -> list[str]:
    x, y, width, height = STRIPS
    parts = [f'<text class="t" x="{x}" y="34">Which unit runs which of the 34 blocks</text>']
    for number, (words, decision, figures) in enumerate(chosen):
        top, units = y + number * 68, decision["units"]
        told = f"{1e3 * figures['latency_s']:.1f} ms, {1e3 * figures['energy_j']:.0f} mJ, {_changes(figures['transitions'])}"
        parts.append(f'<text class="l" x="{x}" y="{top - 7}">{escape(words)}: {told}</text>')
        each = width / len(units)
        parts += [
            f'<rect x="{x + at * each:.1f}" y="{top}" width="{each - 1.5:.1f}" height="{height}" rx="2" fill="{COLOURS[unit]}"/>'
            for at, unit in enumerate(units)
        ]
    bottom = y + len(chosen) * 68 - 12
    for number, (unit, colour) in enumerate(COLOURS.items()):
        at = x + 90 * number
        parts.append(f'<rect x="{at}" y="{bottom}" width="14" height="14" rx="2" fill="{colour}"/>')
        parts.append(f'<text class="l" x="{at + 20}" y="{bottom + 11}">{unit.upper()}</text>')
    return parts


if __name__ == "__main__":
    FILE.write_text(picture(solved(), solved(method="nsga2_published", evaluations=2000)))
