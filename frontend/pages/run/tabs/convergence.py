"""The convergence tab of the run page: hypervolume and best values over evaluations, next to what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from dash import html
from dash.development.base_component import Component

from engines.contract.quantities import SHARE
from engines.contract.results import HYPERVOLUME as OF_EVALUATIONS
from engines.contract.results import Curve, Note, Result
from frontend.components.button import segmented
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import data_link, figure_menu
from frontend.components.states import empty_state
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import bound_title
from frontend.figures.generic import curve_figure
from frontend.figures.numbers import in_sentence, integer, product_unit, si
from frontend.figures.statistics.convergence import convergence_figure
from frontend.figures.summary import convergence_sentence
from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import bounds_of, curve_of, designs_of
from frontend.pages.run.tab import RunTab, TabQuery
from frontend.results.registry import result_sentence
from frontend.theme import Scheme
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.curves import Convergence

CURVE_HEIGHT_PX = 230
TWO_CURVES_PX = 1000
# Bar, head, tabs, the choice of scale; then a card's head, its borders and the gap below it.
_ABOVE_CURVES_PX, _AROUND_CURVE_PX = 260, 54
HYPERVOLUME = "Hypervolume"
SCALES = (("logarithmic", "Logarithmic"), ("linear", "Linear"))


@dataclass(frozen=True)
class CurveCard:
    """A convergence curve: the parts that change during a run, and the parts around it.

    Attributes:
        name: unique in the tab.
        title: title of its card.
        words: the sentence for those who do not see it.
        subtitle: quieter words after the title.
        note: a line below it.
        menu: menu of its card.
    """

    name: str
    title: str
    figure: Any
    words: str
    subtitle: str
    note: str
    menu: Component


def convergence_cards(
    run_id: int,
    curve: Convergence,
    designs: RunDesigns,
    scheme: Scheme,
    viewport: Mapping[str, Any],
    scale: str,
    known: Mapping[str, tuple[str, float]] | None = None,
    own: Sequence[Curve | Note] = (),
) -> list[CurveCard]:
    """Return the hypervolume and best values over the evaluations made, and the engine's own curves; `scale` is one of `SCALES`.

    The engine's own curves come first, as those of a training, but for those that belong to the hypervolume.

    Args:
        run_id: number of the run.
        curve: its stored steps.
        designs: its designs.
        scheme: light or dark.
        viewport: viewport of the browser.
        scale: scale of the evaluations.
        known: title of a curve -> words and value that no design beats.
        own: what the engine itself says of how the run came along: curves of its progress, remarks on exactness.
    """
    curves = convergence_curves(curve, designs)
    progress = [result for result in own if isinstance(result, Curve)]
    height = _height_px(len(curves) + len(progress), viewport)
    cards = []
    for title, unit, x, y in curves:
        figure = convergence_figure(
            x, y, scheme, title=title, unit=unit, height_px=height, logarithmic=scale == "logarithmic",
            known=(known or {}).get(title), heading=title,
        )  # fmt: skip
        words = convergence_sentence(x, y, title, unit)
        menu = figure_menu(data_link("All steps as JSON", f"/api/v1/runs/{run_id}/convergence/"))
        below = hypervolume_shown(curve, designs)[2] if title == HYPERVOLUME else ""
        # The title stands before it.
        cards.append(CurveCard(title, title, figure, words, words.removeprefix(title).strip(), below, menu))
    drawn = [
        CurveCard(
            f"run:{each.name}",
            each.title,
            curve_figure(each, scheme, height_px=height, heading=each.title),
            result_sentence(each),
            "",
            "",
            figure_menu(figure_data=f"run:{each.name}"),
        )
        for each in progress
    ]
    beside = [each.belongs_to == OF_EVALUATIONS for each in progress]
    first = [card for card, late in zip(drawn, beside, strict=True) if not late]
    return [*first, *cards, *[card for card, late in zip(drawn, beside, strict=True) if late]]


def convergence_tab(
    cards: Sequence[CurveCard], notes: Sequence[Note], scalable: bool, viewport: Mapping[str, Any], scale: str
) -> Component:
    """Return the cards below the choice of scale, which is left out where nothing is over evaluations (`scalable`)."""
    if not cards:
        return empty_state("chart-line", "No curve yet", "The curves begin with what the engine reports first.")
    height = _height_px(len(cards), viewport)
    drawn = []
    for each in cards:
        plotted = plot(each.figure, height_px=height, summary=each.words, id=_id(RunIds.CURVE_TYPE, each))
        plotted.id = _id(RunIds.CURVE_BOX_TYPE, each)
        subtitle = html.Span(each.subtitle, id=_id(RunIds.CURVE_WORDS_TYPE, each))
        note = html.Div(each.note, className="xs t2 figure-note") if each.note else None
        drawn.append(card(each.title, plotted, note, subtitle=subtitle, actions=[each.menu], flush=True))
    scales = [html.Span("Evaluations", className="sm t3"), segmented(list(SCALES), scale, RunIds.SCALE_TYPE)]
    choice = html.Div(
        [
            *(scales if scalable else []),
            *[html.Span(note.text, className="sm t2 el", title=note.text) for note in notes],
        ],
        className="row run-scale",
    )
    style = {"gridTemplateColumns": f"repeat({_columns(len(cards), viewport)}, minmax(0, 1fr))"}
    return html.Div([choice, html.Div(drawn, className="run-grids", style=style)])


def _id(kind: RunIds, curve: CurveCard) -> dict[str, str]:
    return {"type": kind, "name": curve.name}


def _columns(count: int, viewport: Mapping[str, Any]) -> int:
    return 2 if int(viewport["width"]) >= TWO_CURVES_PX and count > 1 else 1


def _height_px(count: int, viewport: Mapping[str, Any]) -> int:
    rows = max(1, -(-count // _columns(count, viewport)))
    return max(CURVE_HEIGHT_PX, (int(viewport["height"]) - _ABOVE_CURVES_PX) // rows - _AROUND_CURVE_PX)


def convergence_curves(curve: Convergence, designs: RunDesigns) -> list[tuple[str, str, Any, Any]]:
    """Return title, unit, evaluations and values: the hypervolume by step, the best of each quantity by design found."""
    found: list[tuple[str, str, Any, Any]] = []
    if np.isfinite(curve.hypervolume).any():
        values, unit, _ = hypervolume_shown(curve, designs)
        found.append((HYPERVOLUME, unit, curve.evaluations, values))
    names = dict.fromkeys([designs.primary, *[quantity.name for quantity in designs.objectives]])
    for name in names:
        quantity = designs.quantity(name)
        if name in designs.columns and quantity.sense != "none":
            x, y = best_so_far(designs, name)
            if len(x):
                found.append((f"Best {in_sentence(quantity.title)}", quantity.unit, x, y))
    return found


def known_values(designs: RunDesigns, bounds: Mapping[str, float]) -> dict[str, tuple[str, float]]:
    """Return title of a curve -> words and value that no design passes, of bounds by column."""
    quantities = {name: designs.quantity(name) for name in bounds}
    return {
        f"Best {in_sentence(quantity.title)}": (bound_title(quantity), bounds[name])
        for name, quantity in quantities.items()
    }


def of_convergence(results: Mapping[str, Result]) -> list[Curve | Note]:
    """Return a run's own results on its progress: curves, and whether its search is exact."""
    return [
        result
        for result in results.values()
        if (isinstance(result, Curve) and result.role == "progress")
        or (isinstance(result, Note) and result.role == "proof")
    ]


def hypervolume_shown(curve: Convergence, designs: RunDesigns) -> tuple[Any, str, str]:
    """Return the hypervolume by step as people can read it, its unit, and what it is measured from.

    In the product of the objectives' units where that can be read; else, as with three objectives or a per cent among them, as a
    share of the box between the best values of the front and the reference point. Of a live run the key figures tell of the
    designs of one moment: steps that came after it have no share of their box (NaN).
    """
    unit, words = product_unit(quantity.unit for quantity in designs.objectives), reference_words(curve, designs)
    if unit or not words or not len(designs.front):
        return curve.hypervolume, unit, words
    best = [
        (max if quantity.sense == "maximise" else min)(designs.columns[quantity.name][designs.front])
        for quantity in designs.objectives
    ]
    box = float(np.prod(np.abs(np.array(curve.reference) - best)))
    if not box:
        return curve.hypervolume, unit, words
    return (
        np.where(curve.design_count <= len(designs), curve.hypervolume / box, np.nan),
        SHARE,
        f"Share of the space between the best values of the front and the reference point. {words}",
    )


def reference_words(curve: Convergence, designs: RunDesigns) -> str:
    """Return the reference point of the hypervolume, a value per objective; "" while there is none."""
    if len(curve.reference) != len(designs.objectives):
        return ""
    pairs = zip(designs.objectives, curve.reference, strict=True)
    values = ", ".join(f"{in_sentence(quantity.title)} {si(value, quantity.unit, 4)}" for quantity, value in pairs)
    if not values:
        return ""
    return ". ".join([f"Reference point: {values}", *_beyond(curve.reference, designs)])


def _beyond(reference: Sequence[float], designs: RunDesigns) -> Iterator[str]:
    """Yield how many points of the front lie within the reference point where not all do, as in runs of earlier versions."""
    within = np.ones(len(designs.front), dtype=bool)
    for quantity, worst in zip(designs.objectives, reference, strict=True):
        values = designs.columns[quantity.name][designs.front]
        within &= values > worst if quantity.sense == "maximise" else values < worst
    if not within.all():
        count, of = (integer(designs.points_among(some)) for some in (within, np.ones_like(within)))
        yield f"{count} of {of} points of the front lie within it; the others add nothing"


def best_so_far(designs: RunDesigns, name: str) -> tuple[Any, Any]:
    """Return the best value within the constraints after each evaluation that improved it, and after the last one."""
    numbers = np.flatnonzero(designs.searched & designs.feasible & np.isfinite(designs.columns[name]))
    numbers = numbers[np.argsort(designs.found_at_evaluation[numbers], kind="stable")]
    if not len(numbers):
        return np.empty(0), np.empty(0)
    sign = -1.0 if designs.quantity(name).sense == "maximise" else 1.0
    best = np.minimum.accumulate(designs.columns[name][numbers] * sign)
    better = np.flatnonzero(np.r_[True, best[1:] < best[:-1]])
    kept = np.unique(np.r_[better, len(best) - 1])
    return designs.found_at_evaluation[numbers][kept].astype(np.float64), best[kept] * sign


def cards_of_run(
    run: Run, scheme: Scheme, viewport: Mapping[str, Any], scale: str
) -> tuple[list[CurveCard], list[Curve | Note]]:
    """Return the curves, and what of them is the engine's own."""
    curve, designs = curve_of(run), designs_of(run)
    known = known_values(designs, bounds_of(run, designs))
    own = of_convergence(readers.results(run))
    return convergence_cards(run.pk, curve, designs, scheme, viewport, scale, known, own), own


def _made(asked: TabQuery) -> Component:
    cards, own = cards_of_run(asked.run, asked.scheme, asked.viewport, asked.scale)
    notes = [result for result in own if isinstance(result, Note)]
    scalable = len(cards) + len(notes) > len(own)
    return convergence_tab(cards, notes, scalable, asked.viewport, asked.scale)


TAB = RunTab("convergence", "Convergence", _made)
