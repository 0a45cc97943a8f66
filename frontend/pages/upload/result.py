"""The outcome of a file, in pictures of words: the document with its counts, or what is wrong and what would mend it.

The answer comes from the REST interface through the browser, so nothing about its shape is taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.documents.document_consumers import taker_of
from frontend.components.button import Kind, button, link_button
from frontend.components.card import card
from frontend.components.chip import Tone, chip
from frontend.components.draft import stored_mark
from frontend.components.pictures.kpi import kpi, kpi_si
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import integer, significant
from frontend.ids.upload import UploadIds
from hardware.errors import MOST_OTHERS
from hardware.package.zigzag import ASKED

_TREATMENTS: Mapping[str, tuple[str, Tone]] = {
    "unpriced": ("no cost model", "warn"),
    "excluded": ("left out", "line"),
    "computed": ("computed", "good"),
    "folded": ("folded", "plain"),
    "prepared": ("prepared once", "plain"),
}


_IN_MILLIONS_FROM = 100_000
_FACTS = {
    "line": "Line", "field": "Where", "reason": "Why", "got": "Got", "accepted": "Accepted", "remedies": "How to continue",
}  # fmt: skip
_ONLY_IF_SAID = ("Line", "Why", "How to continue")


def result(answer: Mapping[str, Any], draft: Mapping[str, str] | None = None) -> Component:
    """Return the card below the form.

    Args:
        answer: `status` of HTTP (0 where the server was not reached), its `body`, and the `file`'s name.
        draft: engine and inputs of the run that the page was opened from.
    """
    body = answer.get("body")
    body = body if isinstance(body, Mapping) else {}
    file, status = str(answer.get("file") or "The file"), answer.get("status")
    if status in (200, 201) and {"kind", "slug", "report"} <= set(body):
        return _imported(file, body, draft or {})
    if body.get("field") == "dims" and isinstance(body.get("got"), Mapping):
        return _open_dimensions(file, body)
    if status == 409 and body.get("field") == "name":
        return _taken(file, body)
    return refused(file, status, body)


# -- stored -----------------------------------------------------------------------------------------------------------


def _imported(file: str, body: Mapping[str, Any], draft: Mapping[str, str]) -> Component:
    report = body["report"] if isinstance(body["report"], Mapping) else {}
    name = f"{body['project']}/{body['slug']}" if body.get("project") else str(body["slug"])
    state = chip("Stored", tone="good", icon="check") if body.get("created") else chip("Already there", icon="check")
    words = [html.Span(str(body.get("title")), className="b"), html.Span(str(body.get("summary")), className="sm t2")]
    facts = html.Div(
        [state, *words, html.Span(f"{name}@{body.get('version')}", className="mono t3"), stored_mark()],
        className="row wrap",
    )
    unpriced = unpriced_operators(report)
    return card(
        f"{file} is read",
        facts,
        _counts(report) if "layers" in report else None,
        _read_with(report.get("sizes")),
        _columns(report.get("columns")),
        _again(report, unpriced),
        _actions(body, name, bool(unpriced), draft),
        html.Div(_table(report), className="table-scroll upload-operators") if report.get("operators") else None,
        *[notice(str(note)) for note in report.get("notes") or ()],
        class_name="upload-result",
    )


def _columns(columns: Any) -> Component | None:
    """Return the columns of a table with their units as read."""
    if not isinstance(columns, list | tuple) or not columns:
        return None
    return html.Ul([html.Li(str(column)) for column in columns], className="sm upload-columns")


def _counts(report: Mapping[str, Any]) -> Component:
    figures = [
        kpi("Layers", integer(int(report.get("layers") or 0))),
        kpi_si("Work of one pass, all its samples", float(report.get("macs") or 0), "MAC"),
        _parameters(int(report.get("parameters") or 0)),
        kpi("Operators", integer(int(report.get("nodes") or 0))),
    ]
    return html.Div(figures, className="row g24 upload-counts")


def _parameters(count: int) -> Component:
    if count < _IN_MILLIONS_FROM:
        return kpi("Parameters", integer(count))
    return kpi("Parameters", significant(count / 1e6, 3), "M", title=integer(count))


def unpriced_operators(report: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the operators of a file without a cost model, which engines refuse, with their counts."""
    rows = report.get("operators") or ()
    return [(str(row["operator"]), int(row["count"])) for row in rows if row.get("treatment") == "unpriced"]


def _read_with(sizes: Any) -> Component | None:
    """Return the sizes of open dimensions with which a network was read."""
    if not isinstance(sizes, Mapping) or not sizes:
        return None
    told = ", ".join(f"{name} = {integer(int(size))}" for name, size in sizes.items())
    return html.P(["Read with ", html.Span(told, className="mono")], className="sm t2")


def _again(report: Mapping[str, Any], unpriced: list[tuple[str, int]]) -> Component | None:
    """Return the forms that complete the network: sizes that depend on the data, then operators to leave out."""
    if not unpriced:
        return None
    asked = [str(each.get("name")) for each in report.get("open_sizes") or () if isinstance(each, Mapping)]
    parts = [*(_asked(asked, report) if asked else ()), *_unpriced(unpriced, bool(asked))]
    words = "Read again with these sizes" if asked else "Read again without them"
    again = button(words, icon="refresh", size="small", kind="primary" if asked else "plain", id=UploadIds.AGAIN)
    return html.Div([*parts, html.Div(again)], className="stack")


def _asked(names: Sequence[str], report: Mapping[str, Any]) -> list[Component]:
    """Return a field for each size that depends on the data; those that were given already keep theirs."""
    words = (
        "Some sizes depend on the data, so the file cannot contain them or sizes computed from them. Enter "
        "a value for each size and read the file again."
    )
    makers = {str(each["name"]): f"given by {each.get('operator')}" for each in report["open_sizes"]}
    fields = [_dimension(name, None, makers.get(name, "")) for name in names]
    given = [_dimension(str(name), size, "") for name, size in (report.get("sizes") or {}).items()]
    return [notice(words, tone="warn"), html.Div([*fields, *given], className="upload-dimensions")]


def _unpriced(operators: list[tuple[str, int]], sizes_first: bool) -> list[Component]:
    """Return the operators without a cost model, each with the choice to leave it out."""
    boxes: list[Component] = [
        dmc.Checkbox(
            id={"type": UploadIds.EXCLUDE_TYPE, "name": name}, label=f"{name} × {count}", size="xs", checked=False
        )
        for name, count in operators
    ]
    words = (
        "These operators have no cost model. They stay in the network, and engines refuse it. Select "
        "operators that engines may leave out, at no cost, and read the file again."
    )
    if sizes_first:
        words = (
            "These operators have no cost model in this form. Engines refuse them, or leave out the selected "
            "ones, at no cost."
        )
    return [notice(words, tone="plain" if sizes_first else "warn"), html.Div(boxes, className="row wrap g16")]


def _actions(body: Mapping[str, Any], name: str, refused: bool, draft: Mapping[str, str]) -> Component:
    kind, slug = str(body["kind"]), quote(str(body["slug"]))
    project = f"?project={quote(str(body['project']))}" if body.get("project") else ""
    text = f"/api/v1/documents/{kind}/{slug}/document.yaml{project}"
    ways = [
        link_button("Open in the catalogue", f"/catalogue/{kind}/{quote(name)}", icon="books"),
        link_button("YAML", text, icon="download", download=f"{slug}.yaml"),
    ]
    taker = taker_of(kind, str(body.get("schema")), draft.get("engine", ""))
    if taker is not None:
        kept = draft if draft.get("engine") == taker[0] else {}
        address = "/new?" + urlencode({**kept, "engine": taker[0], taker[1]: name}, safe="/@")
        looks: Kind = "plain" if refused else "primary"
        ways.insert(0, link_button("Start a run with it", address, icon="player-play", kind=looks))
    return html.Div(ways, className="row wrap upload-actions")


def _table(report: Mapping[str, Any]) -> Component:
    rows = []
    for row in report.get("operators") or ():
        words, tone = _TREATMENTS.get(row.get("treatment"), (str(row.get("treatment")), "plain"))
        rows.append((html.Span(str(row.get("operator"))), chip(words, tone=tone), integer(int(row.get("count") or 0))))
    return plain_table((Column("Operator"), Column("Read as"), Column("Count", number=True)), rows, tight=True)


def _taken(file: str, body: Mapping[str, Any]) -> Component:
    """Return the question whether a file is the next version of what has its name."""
    name, _, number = str(body.get("got")).rpartition("@")
    version = int(number) + 1 if number.isdecimal() else 2
    words = f"{name} exists already, and its version {number} has other content. Nothing is stored yet."
    other = dmc.TextInput(
        id=UploadIds.OTHER_NAME, value=f"{name.rpartition('/')[2]} {version}", size="xs", w=260, debounce=False,
        inputProps={"maxLength": 200}, **{"aria-label": "Another name"},
    )  # fmt: skip
    ways = [
        button(f"Store as version {version}", id=UploadIds.NEXT, icon="check", kind="primary"),
        html.Span("or under another name", className="sm t2"),
        other,
        button("Store under this name", id=UploadIds.OTHER, icon="plus"),
    ]
    there = dcc.Link(f"Open {name}", href=f"/catalogue/{body.get('kind')}/{quote(name)}", className="sm")
    return card(
        f"Is {file} the next version?", notice(words, tone="warn"), html.Div([*ways, there], className="row wrap")
    )


# -- refused ----------------------------------------------------------------------------------------------------------


def _open_dimensions(file: str, body: Mapping[str, Any]) -> Component:
    accepted = str(body.get("accepted") or "")
    fields = [_dimension(str(name), value, _place(str(name), accepted)) for name, value in body["got"].items()]
    again = button("Read with these sizes", icon="refresh", kind="primary", id=UploadIds.AGAIN)
    words = "The file leaves these sizes open. Enter a value for each."
    if all(isinstance(value, int) for value in body["got"].values()):  # none is missing: they do not fit
        words = " ".join(
            filter(None, ("These sizes do not fit.", body.get("reason"), f"Accepted: {accepted}.", _ways(body)))
        )
    title = f"{file} leaves values open" if set(body["got"]) <= set(ASKED) else f"{file} has open dimensions"
    parts = (notice(words), html.Div(fields, className="upload-dimensions"), html.Div(again))
    return card(title, *parts, class_name="upload-result")


def _ways(wrong: Mapping[str, Any]) -> str:
    """Return the ways to continue as sentences."""
    return " ".join(str(each.get("text") or "") for each in wrong.get("remedies") or () if isinstance(each, Mapping))


def _place(name: str, accepted: str) -> str:
    """Return the place of an open dimension as in the message ("axis 0 of image", "given by Loop").

    "" where it does not say.
    """
    found = re.search(rf"(?:^|[:,] ){re.escape(name)} \((axis [^)]*|given by [^)]*)\)", accepted)
    return found[1] if found else ""


def _dimension(name: str, value: Any, place: str) -> Component:
    # Samples come first, and one is the usual number; a picture of one pixel is not, nor is there a usual clock.
    usual = 1 if place.startswith("axis 0 ") else ""
    field: Component = dmc.NumberInput(
        id={"type": UploadIds.DIMENSION_TYPE, "name": name}, value=value if isinstance(value, int) else usual, min=0,
        max=1_000_000, allowDecimal=False, size="xs", w=140, **{"aria-label": name},
    )  # fmt: skip
    return html.Div([html.Label(name), field, html.Span(place, className="h") if place else None], className="field")


def refused(file: str, status: Any, body: Mapping[str, Any]) -> Component:
    """Return the view of a refusal: place, value and accepted values.

    Args:
        file: name of the file.
        status: HTTP status; 0 if the server was not reached.
        body: body of the answer.
    """
    if not status:
        return card(
            f"{file} was not sent", notice("The connection was lost and nothing is stored. Try again.", tone="bad")
        )
    message = str(body.get("message") or f"The server answered with status {status}.")
    if status == 503:  # nothing is wrong with the file
        return card(f"{file} was not read", notice(f"{message} Nothing is stored.", tone="warn"))
    tables = _everything_wrong(body) if body.get("field") else [notice(message, tone="bad")]
    head = html.Div(
        [chip("Refused", tone="bad", icon="x"), html.Span("Nothing is stored.", className="sm t2")], className="row"
    )
    return card(f"{file} is refused", head, *tables, class_name="upload-result")


def _everything_wrong(body: Mapping[str, Any]) -> list[Component]:
    """Return the first mistake and the others; beyond many only their number."""
    given = body.get("others")
    others = [each for each in given if isinstance(each, Mapping)] if isinstance(given, list) else []
    more = len(others) - MOST_OTHERS
    tables: list[Component] = [_facts(each) for each in (body, *others[:MOST_OTHERS])]
    return [*tables, html.Div(f"And {more} more.", className="sm t2")] if more > 0 else tables


def _facts(wrong: Mapping[str, Any]) -> Component:
    """Return one thing that is wrong: where, what was got, what is accepted."""
    facts = [(title, wrong.get(key)) for key, title in _FACTS.items() if key != "remedies"]
    facts.append((_FACTS["remedies"], _ways(wrong)))
    rows = [
        html.Tr([html.Th(title), html.Td("nothing" if value is None else str(value)[:600])])
        for title, value in facts
        if value or title not in _ONLY_IF_SAID
    ]
    return html.Table(html.Tbody(rows), className="t upload-facts")
