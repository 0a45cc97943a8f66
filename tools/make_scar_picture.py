"""Redraws docs/images/scar.svg from a run: the front of scenario 4 on Het-Sides, and where its best schedule runs.

python tools/make_scar_picture.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.chiplets.problem.tables import unique_titles
from engines.chiplets.quantities import QUANTITIES
from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.contract.quantities import by_name
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive

FILE = Path(__file__).resolve().parent.parent / "docs" / "images" / "scar.svg"
EVALUATIONS, SEED = 1000, 1
WIDTH, HEIGHT = 1180, 470
LATENCY_S, ENERGY_J = (0.46, 1.04), (4.18, 4.62)  # what the left half shows; the rest is counted
PLOT = (70, 60, 520, 330)  # x, y, width, height
COLOURS = ("#3056d3", "#0f766e", "#b45309", "#9d174d", "#6d28d9", "#4d7c0f")
STYLE = (
    "text{font-family:Inter,system-ui,sans-serif;fill:#1b2330}.t{font-size:15px;font-weight:600}.l{font-size:12px;paint-order:stroke;stroke:#fafbfc;stroke-width:4px}"
    ".s{font-size:11px;fill:#5b6472}.w{fill:#fff;font-size:12px;font-weight:600;text-anchor:middle}"
)
CHIPLET, GAP = 46, 8


def solved(evaluations: int = EVALUATIONS) -> tuple[Problem, Designs]:
    """Scenario 4 on Het-Sides with the default parameters."""
    inputs = {
        "hardware": get_builtin("hardware", "simba-3x3-het-sides"),
        "workload": get_builtin("workload", "mlperf-scenario-4"),
    }
    problem = make_problem("scar", inputs, {"evaluations": evaluations}, seed=SEED)
    steps = list(drive(get_engine("scar"), problem, LocalContext(problem)))
    return problem, Designs.concatenate([step.designs for step in steps if step.designs is not None])


def picture(problem: Problem, designs: Designs) -> str:
    """Return the whole picture."""
    best = _best(designs)
    parts = [*_front(designs, best), *_chiplets(problem, designs.decisions[best])]
    words = (
        "Front of scenario 4 on Het-Sides with its baselines, and the chiplets of the best schedule in every window."
    )
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="title"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
            f'<title id="title">{words}</title><style>{STYLE}</style>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fafbfc"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _best(designs: Designs) -> int:
    best = designs.best(by_name(QUANTITIES)["edp_js"], QUANTITIES)
    assert best is not None
    return best


def _front(designs: Designs, best: int) -> list[str]:
    """Return the latency and energy of every schedule, the front, the baselines and the best with its energy-delay product."""
    latency, energy = designs.columns["latency_s"], designs.columns["energy_j"]
    searched = np.flatnonzero(designs.of_origin("search"))
    shown = [i for i in searched.tolist() if latency[i] <= LATENCY_S[1] and energy[i] <= ENERGY_J[1]]
    x0, y0, _, height = PLOT
    parts = [f'<text x="{x0}" y="34" class="t">Schedules of scenario 4 on Het-Sides</text>']
    parts += _axes()
    dots = "".join(f"M{_x(latency[i]):.1f} {_y(energy[i]):.1f}h0" for i in shown)
    parts.append(f'<path d="{dots}" stroke="#9aa5b8" stroke-width="4" stroke-linecap="round" fill="none"/>')
    front = designs.front(QUANTITIES)
    path = sorted((float(latency[i]), float(energy[i])) for i in front)
    line = " ".join(f"{_x(s):.1f},{_y(j):.1f}" for s, j in path)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#3056d3" stroke-width="2"/>')
    for i in (i for i, origin in enumerate(designs.origin) if origin == "baseline"):
        if latency[i] <= LATENCY_S[1]:
            parts += _marker(float(latency[i]), float(energy[i]), designs.label[i], "#b45309")
    value = float(latency[best] * energy[best])
    parts += _marker(float(latency[best]), float(energy[best]), f"best EDP {value:.3g} J·s", "#3056d3", below=False)
    outside = [
        f"{designs.label[i]} ({latency[i]:.3g} s, {energy[i]:.3g} J)"
        for i, origin in enumerate(designs.origin)
        if origin == "baseline" and latency[i] > LATENCY_S[1]
    ]
    words = f"Outside: {len(searched) - len(shown)} of {len(searched)} schedules; {'; '.join(outside)}"
    parts.append(f'<text x="{x0}" y="{y0 + height + 58}" class="s">{escape(words)}</text>')
    return parts


def _axes() -> list[str]:
    x0, y0, width, height = PLOT
    parts = [f'<path d="M{x0} {y0}v{height}h{width}" fill="none" stroke="#5b6472"/>']
    parts += [
        f'<text x="{_x(seconds):.0f}" y="{y0 + height + 18}" class="s" text-anchor="middle">{seconds:.1f}</text>'
        for seconds in np.arange(0.5, LATENCY_S[1], 0.1)
    ]
    parts += [
        f'<text x="{x0 - 8}" y="{_y(joules) + 4:.0f}" class="s" text-anchor="end">{joules:.1f}</text>'
        for joules in np.arange(4.2, ENERGY_J[1], 0.1)
    ]
    parts.append(f'<text x="{x0 + width}" y="{y0 + height + 36}" class="s" text-anchor="end">latency in s</text>')
    return [*parts, f'<text x="{x0 - 8}" y="{y0 - 8}" class="s">energy in J</text>']


def _marker(seconds: float, joules: float, words: str, colour: str, below: bool = True) -> list[str]:
    x, y = _x(seconds), _y(joules)
    end = x > PLOT[0] + PLOT[2] - 120
    at = f'x="{x + (-8 if end else 8):.0f}" y="{y + (16 if below else -10):.0f}" text-anchor="{"end" if end else "start"}"'
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="#fff"/>',
        f'<text {at} class="l">{escape(words)}</text>',
    ]


def _x(seconds: float) -> float:
    return PLOT[0] + (seconds - LATENCY_S[0]) / (LATENCY_S[1] - LATENCY_S[0]) * PLOT[2]


def _y(joules: float) -> float:
    return PLOT[1] + PLOT[3] - (joules - ENERGY_J[0]) / (ENERGY_J[1] - ENERGY_J[0]) * PLOT[3]


def _chiplets(problem: Problem, decision: Mapping[str, object]) -> list[str]:
    """Return one small package per window: colour by model, numbers by segment, outlines by dataflow."""
    package, scenario = problem.values["hardware"], problem.values["workload"]
    titles = unique_titles(scenario.models)
    windows: Sequence[Mapping[str, object]] = decision["windows"]  # type: ignore[assignment]
    side = 3 * (CHIPLET + GAP)
    parts = ['<text x="640" y="34" class="t">Where the best one runs, window by window</text>']
    for w, window in enumerate(windows):
        x0, y0 = 640 + (w % 3) * (side + 16), 60 + (w // 3) * (side + 36)
        parts.append(f'<text x="{x0}" y="{y0 + 10}" class="s">window {w + 1}</text>')
        for chiplet in package.chiplets:
            x, y = _corner(x0, y0, chiplet.row, chiplet.column)
            dash = ' stroke-dasharray="4 3"' if chiplet.dataflow == "shi-diannao" else ""
            parts.append(
                f'<rect x="{x}" y="{y}" width="{CHIPLET}" height="{CHIPLET}" rx="6" fill="#fff" stroke="#5b6472"{dash}/>'
            )
        for placement in window["models"]:  # type: ignore[attr-defined]
            colour = COLOURS[placement["model"] % len(COLOURS)]
            cells = [package.chiplets[c] for c in placement["path"]]
            corners = [_corner(x0, y0, cell.row, cell.column) for cell in cells]
            for (ax, ay), (bx, by) in pairwise(corners):
                half = CHIPLET / 2
                parts.append(
                    f'<path d="M{ax + half} {ay + half}L{bx + half} {by + half}" stroke="{colour}" stroke-width="10"/>'
                )
            for number, (x, y) in enumerate(corners, 1):
                parts.append(
                    f'<rect x="{x + 3}" y="{y + 3}" width="{CHIPLET - 6}" height="{CHIPLET - 6}" rx="4" fill="{colour}"/>'
                    f'<text x="{x + CHIPLET / 2}" y="{y + CHIPLET / 2 + 4}" class="w">{number}</text>'
                )
    x, y = 640 + 2 * (side + 16), 60 + side + 56
    for model, title in enumerate(titles):
        parts.append(
            f'<rect x="{x}" y="{y + 22 * model - 10}" width="12" height="12" rx="2" fill="{COLOURS[model % len(COLOURS)]}"/>'
            f'<text x="{x + 18}" y="{y + 22 * model}" class="l">{escape(title)}</text>'
        )
    y += 22 * len(titles)
    return [
        *parts,
        f'<text x="{x}" y="{y + 6}" class="s">numbers: segments in order</text>',
        f'<text x="{x}" y="{y + 22}" class="s">dashed: Shi-diannao</text>',
    ]


def _corner(x0: float, y0: float, row: int, column: int) -> tuple[float, float]:
    return x0 + column * (CHIPLET + GAP), y0 + 18 + row * (CHIPLET + GAP)


if __name__ == "__main__":
    FILE.write_text(picture(*solved()))
