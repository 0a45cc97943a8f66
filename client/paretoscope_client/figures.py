"""Plotly figures of runs for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from paretoscope_client.errors import ParetoscopeError
from paretoscope_client.frames import optional

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

# Okabe and Ito's colours, which people who see few colours can tell apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_FOUND_AT = "found_at_evaluation"


class FrontSource(Protocol):
    """The interface of a run that a figure reads; `paretoscope_client.Run` has it."""

    @property
    def number(self) -> int:
        """Return the number of the run on the site."""

    @property
    def title(self) -> str:
        """Return the title of the run."""

    @property
    def words(self) -> str:
        """Return the status or outcome in words."""

    def designs(self) -> pd.DataFrame:
        """Return all designs of the run, one row each."""

    def front(self) -> pd.DataFrame:
        """Return the designs on the Pareto front, with the quantities in `attrs["columns"]`."""


def front_figure(*runs: FrontSource, x: str | None = None, y: str | None = None) -> go.Figure:
    """Return a scatter plot of the designs of runs with their Pareto fronts, in one colour per run.

    Args:
        runs: one or more runs that have both columns.
        x: column of the horizontal axis; by default the first objective of the first run.
        y: column of the vertical axis; by default its second objective. A single objective is drawn over the number of the
            evaluation that found the design.

    Raises:
        ParetoscopeError: a run lacks the column, or the runs have no designs.
    """
    graphs: Any = optional("plotly.graph_objects", "plotly")
    if not runs:
        raise ParetoscopeError("runs: must be at least one run.")
    figure = graphs.Figure()
    for run, colour in zip(runs, _COLOURS * len(runs), strict=False):
        designs, front = run.designs(), run.front()
        about: Mapping[str, Any] = front.attrs["columns"]
        if x is None or y is None:
            x, y = _axes(about, x, y)
        for name in (x, y):
            if name not in front:
                raise ParetoscopeError(f"{name}: one of {', '.join(map(str, front.columns))}.")
        searched = designs[designs["origin"] == "search"]
        if searched.empty:
            raise ParetoscopeError(f"{run.title}: {run.words}")
        name = f"{run.title} ({run.number})"
        others = graphs.Scattergl(x=searched[x], y=searched[y], mode="markers", name=f"{name}, designs")
        others.update(marker={"color": colour, "size": 4, "opacity": 0.25}, text=_hover(searched), hovertemplate=_HOVER)
        best = front.sort_values(x)
        line = graphs.Scatter(x=best[x], y=best[y], mode="lines+markers", name=f"{name}, front")
        line.update(line={"color": colour, "shape": "hv"}, text=_hover(best), hovertemplate=_HOVER)
        figure.add_traces([others, line])
        figure.update_xaxes(title=_title(about, x)).update_yaxes(title=_title(about, y))
    figure.update_layout(template="plotly_white", legend={"orientation": "h", "y": -0.2}, margin={"t": 30})
    return figure


_HOVER = "%{text}<br>%{xaxis.title.text}: %{x:.4g}<br>%{yaxis.title.text}: %{y:.4g}<extra></extra>"


def _axes(about: Mapping[str, Any], x: str | None, y: str | None) -> tuple[str, str]:
    names = [name for name, facts in about.items() if facts.get("role") == "objective"]
    first, second = (*names, _FOUND_AT)[:2] if len(names) > 1 else (_FOUND_AT, names[0])
    return x or first, y or second


def _title(about: Mapping[str, Any], name: str) -> str:
    facts = about.get(name, {"title": "Evaluation"})
    return f"{facts['title']} ({facts['unit']})" if facts.get("unit") else str(facts["title"])


def _hover(frame: pd.DataFrame) -> list[str]:
    return [f"Design {number} {label}".rstrip() for number, label in zip(frame.index, frame["label"], strict=True)]
