"""The head of a comparison: its question, its runs, their differences, and the actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.as_table import as_table
from frontend.components.button import button, link_button
from frontend.components.chip import chip
from frontend.components.icon import icon
from frontend.components.items.changes_link import changes_link
from frontend.components.items.conflict import conflict_box, difference_lines
from frontend.components.items.marks import marks_line
from frontend.components.items.move_link import move_link
from frontend.components.items.share import share_control
from frontend.ids.compare import CompareIds
from frontend.pages.compare.data import Side
from frontend.pages.compare.export import PATH
from frontend.pages.compare.view import differences_line, differences_table, run_chips, unlike_notice
from webapp.annotations.marks import marks_of
from webapp.catalogue.differences import differences
from webapp.comparisons.models import Comparison
from webapp.comparisons.service import FEWEST, MOST, entries_of, state_of
from webapp.runs.service import visible_runs
from webapp.teams.visibility import Principal

MOST_CHOICES = 300


def header(
    user: Principal, comparison: Comparison | None, sides: Sequence[Side], axes: Mapping[str, str], editable: bool
) -> Component:
    """Return everything above the cards.

    Args:
        user: who looks.
        comparison: the kept one; None where it is not kept yet.
        sides: its runs.
        axes: "x" and "y" of the fronts, and their "scale" where a person chose one; empty where the runs share none.
        editable: whether `user` may change it.
    """
    crumb = html.Nav(
        [
            dcc.Link("Comparisons", href="/compare"),
            icon("chevron-right", "s"),
            html.Span(comparison.project.title if comparison else "not kept yet"),
        ],
        className="crumb",
        **{"aria-label": "Where you are"},
    )
    title = dmc.TextInput(
        id=CompareIds.TITLE,
        value=comparison.title if comparison else "",
        placeholder="Which question does it answer?",
        classNames={"root": "grow", "input": "compare-title"},
        variant="unstyled",
        readOnly=not editable,
        **{"aria-label": "Question or name of the comparison"},
    )
    kept = [chip("kept", tone="good"), *_of_kept(user, comparison, editable)] if comparison else [chip("not kept")]
    return html.Div(
        [
            crumb,
            html.Div(
                [
                    html.Div([html.H1("Comparison", className="visually-hidden"), title, *kept], className="row grow"),
                    html.Div(_actions(user, comparison, sides, axes, editable), className="row"),
                ],
                className="row between",
            ),
            html.Div(id=CompareIds.ERROR, role="alert"),
            html.Div(run_chips(sides, removable=True), className="row wrap compare-runs"),
            *(_differences(sides) if len(sides) > 1 else []),
        ],
        className="head edge compare-head",
    )


def _of_kept(user: Principal, comparison: Comparison, editable: bool) -> list[Component]:
    """Return the star and tags, what was done to it, the way to another project."""
    number = comparison.pk
    marks = marks_of(user, "comparison", [number])[number]
    return [
        marks_line(user, "comparison", number, marks, editable),
        changes_link("comparison", number),
        move_link("comparison", number),
    ]


def _differences(sides: Sequence[Side]) -> list[Component]:
    unlike = unlike_notice(sides)
    return [
        html.Div(differences_line(sides), className="row wrap compare-differs"),
        *([unlike] if unlike else []),
        as_table(differences_table(sides)),
    ]


def _actions(
    user: Principal,
    comparison: Comparison | None,
    sides: Sequence[Side],
    axes: Mapping[str, str],
    editable: bool,
) -> list[Component | None]:
    here = {side.run.pk for side in sides}
    add = dmc.Select(
        id=CompareIds.ADD,
        data=run_choices(user, here),
        value=None,
        placeholder="Add run",
        disabled=len(sides) >= MOST,
        searchable=True,
        nothingFoundMessage="No run has this name",
        leftSection=icon("plus", "s"),
        w=220,
        comboboxProps={"width": 420, "position": "bottom-end"},
        **{"aria-label": "Add a run"},
    )
    action = CompareIds.ACTION_TYPE
    swap = button("Swap", id={"type": action, "name": "swap"}, icon="refresh", title="Swap the order")
    export = html.A(
        [icon("download", "s"), "HTML"], id=CompareIds.EXPORT, className="btn", title="One file, without a server",
        href=export_address(sides, comparison.title if comparison else "", axes), download="",
    )  # fmt: skip
    words = "Keep changes" if comparison else "Keep"
    save = button(words, id={"type": action, "name": "keep"}, kind="primary")
    question = "Delete this comparison? Its runs stay, and you can restore it for 30 days."
    remove = button("Delete", id={"type": action, "name": "delete"}, kind="quiet", question=question)
    return [
        share_control("comparison", comparison.pk) if comparison else None,
        add,
        swap if len(sides) == 2 else None,
        _to_report(sides) if len(sides) >= FEWEST else None,
        export if len(sides) >= FEWEST else None,
        remove if comparison and editable else None,
        save if editable and len(sides) >= FEWEST else None,
    ]


def conflict(user: Principal, comparison: Comparison, seen: Mapping[str, Any], mine: Mapping[str, Any]) -> Component:
    """Show that another person was first: their changes, the differences of mine, and the choices.

    Args:
        user: only of runs that they see anything is said.
        comparison: as it is now.
        seen: `state_of` it when it was opened.
        mine: the same of what was to be kept.
    """
    theirs = _said(user, state_of(comparison))
    changed, other = differences(_said(user, seen), theirs), differences(theirs, _said(user, mine))
    action = CompareIds.ACTION_TYPE
    return conflict_box(
        "This comparison was changed since you opened it.",
        "",
        difference_lines(changed) if changed else None,
        difference_lines(other) if other else None,
        [
            button("Keep mine", id={"type": action, "name": "mine"}, title="Their version stays in the change log"),
            html.A("Take theirs", href=f"/compare/{comparison.pk}", className="btn"),
            button("Continue editing", id={"type": action, "name": "on"}, title="The next Keep stores your version"),
        ],
    )


def _said(user: Principal, state: Mapping[str, Any]) -> dict[str, Any]:
    runs = [{"name": f"run {each.run.pk:04d}", "design": each.design} for each in entries_of(user, state["entries"])]
    return {"title": state["title"], "runs": runs, "axes": state["axes"]}


def _to_report(sides: Sequence[Side]) -> Component:
    runs = ",".join(str(side.run.pk) for side in sides)
    return link_button("Add to report", f"/reports/add?runs={runs}", icon="file-text")


def export_address(sides: Sequence[Side], title: str, axes: Mapping[str, str]) -> str:
    """Return the address of the comparison as a file; the browser updates it with the selection."""
    query = {"runs": ",".join(str(side.run.pk) for side in sides), "title": title}
    query["designs"] = ",".join("" if side.number is None else str(side.number) for side in sides)
    return f"{PATH}?{urlencode(query | dict(axes))}"


def run_choices(user: Principal, without: set[int]) -> list[dict[str, str]]:
    """Return the newest runs with designs that the user sees, as a list to pick from."""
    runs = visible_runs(user, gallery=True).filter(design_count__gt=0).exclude(pk__in=without).order_by("-pk")
    rows = runs.values_list("pk", "title", "engine")[:MOST_CHOICES]
    return [{"value": str(pk), "label": f"{pk:04d}  {title} ({engine})"} for pk, title, engine in rows]
