"""Which engine: by the question that it answers, folded to one line once one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.questions import QUESTIONS, Question
from frontend.components.icon import icon
from frontend.ids.new import NewIds

MOST_RECENT = 4


def chooser(engine: Engine, engines: Sequence[Engine], recent: Sequence[str], *, unfolded: bool = False) -> Component:
    """The chosen engine in one line; unfolded all of them, by what they decide.

    Args:
        engine: the chosen one.
        engines: all that can be chosen, in the order in which they are offered.
        recent: names of those that the person used, the last used first.
        unfolded: whether all are shown.
    """
    return html.Details(
        [
            _chosen(engine, len(engines)),
            html.Div([_search(), *_recent(engines, recent), _groups(engine, engines)], className="chooser-body"),
        ],
        id=NewIds.CHOOSER,
        # Another engine is another part of the page: folded again, whatever was clicked in the browser.
        key=f"{NewIds.CHOOSER}-{engine.name}",
        open=unfolded,
        className="card chooser",
    )


def picture(question: Question) -> Component:
    """The picture of a question, in the colour of the text around it."""
    return html.Span(className=f"question-picture q-{question.name}", **{"aria-hidden": "true"})


def words_of(engine: Engine) -> str:
    """What the search field looks through: titles, summary, method, authors of its source, tags."""
    question = engine.question
    return " ".join(
        (engine.title, engine.name, engine.summary, engine.source, *engine.tags, question.title, question.words)
    ).lower()


def _chosen(engine: Engine, count: int) -> Component:
    words = html.Span(
        [
            html.Span(
                [html.Span(engine.title, className="b"), html.Span(engine.question.title, className="xs t3")],
                className="row g8",
            ),
            html.Span(engine.summary, className="sm t2 el", title=engine.summary),
            html.Span(engine.source, className="xs t3 el", title=engine.source),
        ],
        className="chooser-words",
    )
    other = html.Span(
        [
            html.Span("Change", className="when-folded"),
            html.Span("Fold", className="when-open"),
            icon("chevron-down", "s"),
        ],
        className="link row g4 nw",
    )
    return html.Summary(
        [picture(engine.question), words, html.Span(f"{count} engines", className="xs t3 nw"), other],
        className="chooser-chosen",
        **{"aria-label": f"Engine: {engine.title}. Choose another of {count}"},
    )


def _search() -> Component:
    field: Component = dmc.TextInput(
        id=NewIds.FIND,
        size="xs",
        placeholder="Search by name, method or author",
        leftSection=icon("search", "s"),
        autoComplete="off",
        spellCheck=False,
        className="chooser-find",
        **{"aria-label": "Search engines"},
    )
    nothing = html.Span("No engine has these words", className="sm t2 chooser-nothing", role="status", hidden=True)
    return html.Div([field, nothing], className="row g12")


def _recent(engines: Sequence[Engine], recent: Sequence[str]) -> list[Component]:
    known = {engine.name: engine for engine in engines}
    used = [known[name] for name in recent if name in known]
    if not used:
        return []
    buttons = [
        html.Button(
            [picture(each.question), each.title],
            id=_button_id(each, "recent"),
            className="chooser-used",
            type="button",
            title=each.summary,
        )
        for each in used
    ]
    return [html.Div([html.Span("Last used", className="xs t3"), *buttons], className="row g8 wrap chooser-recent")]


def _groups(chosen: Engine, engines: Sequence[Engine]) -> Component:
    found = [(question, [each for each in engines if each.question == question]) for question in QUESTIONS]
    return html.Div(
        [_group(question, members, chosen) for question, members in found if members], className="chooser-groups"
    )


def _group(question: Question, members: Sequence[Engine], chosen: Engine) -> Component:
    head = html.Div(
        [
            picture(question),
            html.Div([html.H2(question.title, className="b"), html.Div(question.words, className="xs t3")]),
        ],
        className="chooser-head",
    )
    return html.Div(
        [head, *[_engine(each, each.name == chosen.name) for each in members]],
        className="chooser-group",
        role="group",
        **{"aria-label": question.title},
    )


def _engine(engine: Engine, on: bool) -> Component:
    return html.Button(
        [
            html.Span(engine.title, className="chooser-title"),
            html.Span(engine.summary, className="xs t2 chooser-summary"),
        ],
        id=_button_id(engine, "all"),
        className="chooser-engine on" if on else "chooser-engine",
        type="button",
        title=f"{engine.summary}\n{engine.source}",
        **{"aria-pressed": str(on).lower(), "data-words": words_of(engine)},
    )


def _button_id(engine: Engine, place: str) -> dict[str, str]:
    return {"type": NewIds.ENGINE_TYPE, "name": engine.name, "place": place}
