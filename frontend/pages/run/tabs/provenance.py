"""The provenance tab of the run page: everything that is needed to repeat the run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from dash import dcc, html
from dash.development.base_component import Component

from engines.running.time_limits import minutes_words
from frontend.components.button import link_button
from frontend.components.card import card
from frontend.components.pictures.kpi import pairs
from frontend.figures.numbers import duration
from frontend.pages.drafts import command, draft_of_document
from frontend.pages.run.tab import RunTab
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.service import start_from


def provenance_tab(run: Run) -> Component:
    """Return everything that is needed to repeat the run."""
    facts = readers.provenance(run)
    document = start_from(run)
    shell = command(draft_of_document(document))
    files = html.Div(
        [
            link_button("Problem as JSON", f"/api/v1/runs/{run.pk}/problem.json", icon="download", size="small"),
            link_button("Problem as YAML", f"/api/v1/runs/{run.pk}/problem.yaml", icon="download", size="small"),
        ],
        className="row",
    )
    repeat = card(
        "Repeat it",
        html.Div("From the command line", className="sm t2"),
        html.Pre(shell, className="mono command"),
        html.Div("Problem document, the same for browser, interface and notebook", className="sm t2"),
        html.Pre(json.dumps(document, indent=2, ensure_ascii=False), className="mono command tall"),
        files,
    )
    return html.Div(
        [
            html.Div([_pinned_card(run, facts), _inputs_card(facts), _platform_card(facts)], className="stack g12"),
            repeat,
        ],
        className="run-provenance",
    )


def _pinned_card(run: Run, facts: Mapping[str, Any]) -> Component:
    engine = facts["engine"]
    same = engine["version"] == engine["installed_version"]
    estimator = estimator_of(run)
    lines = [
        ("Title", run.title),
        ("Engine", f"{engine['title']} version {engine['version']}"),
        ("Installed version", f"{engine['installed_version']}" + ("" if same else ": another, start a new run")),
        ("Source", engine["source"]),
        *([("Cost", f"{estimator.words} ({estimator.certainty})")] if estimator else []),
        ("Seed", str(facts["seed"])),
        ("Problem hash", _hash(facts["problem_hash"])),
        ("Project", facts["project"]),
        ("Owner", facts["owner"]),
        ("Created", _time(facts["created"])),
        ("Started", _time(facts["started"])),
        ("Finished", _time(facts["finished"])),
        ("Attempts", str(facts["attempts"])),
        ("Computed", duration(facts["computed_s"]) if facts["computed_s"] else "–"),
        ("Time limit", minutes_words(facts["stop_after_minutes"]) if facts["stop_after_minutes"] else "none"),
    ]
    if facts.get("measure"):
        wish = facts["measure"]
        words = (
            f"up to {wish['designs']} designs on device {wish['device']}: the run repeats with the same answers alone"
        )
        lines.append(("Measured during the search", words))
    if facts.get("imported"):
        there = facts["imported"]
        words = f"run {there['run']:04d} of {there['owner']} in {there['project']} of another installation"
        lines.append(("Imported", words))
        lines.append(("Imported on", _time(there["imported"])))
        lines.append(("Exported on", _time(there["exported"])))
        lines.append(("Bundle", _hash(there["sha256"])))
        lines.append(("Checked", facts["checked"]))
    if facts.get("parent"):
        lines.append(("Started from", dcc.Link(f"run {facts['parent']:04d}", href=f"/runs/{facts['parent']}")))
    return card("Pinned", pairs(lines))


def _inputs_card(facts: Mapping[str, Any]) -> Component:
    heads = ("Slot", "Document", "Version", "SHA-256")
    rows = [
        html.Tr(
            [
                html.Td(item["slot"]),
                html.Td(
                    [
                        item["title"],
                        html.Div(item["slug"], className="mono t3"),
                        html.Div(item["source"], className="xs t2"),
                    ],
                    className="wrap",
                ),
                html.Td(str(item["version"]), className="r num"),
                html.Td(_hash(item["hash"])),
            ]
        )
        for item in facts["inputs"]
    ]
    table = html.Table(
        [html.Thead(html.Tr([html.Th(h, className="r" if h == "Version" else "") for h in heads])), html.Tbody(rows)],
        className="t",
    )
    params = pairs([(name, html.Span(json.dumps(value), className="mono")) for name, value in facts["params"].items()])
    return html.Div(
        [card("Inputs", html.Div(table, className="table-scroll")), card("Parameters", params)], className="stack g12"
    )


def _platform_card(facts: Mapping[str, Any]) -> Component | None:
    platform = facts["platform"]
    if not platform:
        return None
    return card("Platform of the run", pairs([(str(key), _plain(value)) for key, value in platform.items()]))


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _hash(digest: str) -> Component:
    return html.Span(digest, className="mono hash", title=digest)


def _time(text: str | None) -> str:
    return "–" if not text else text[:19].replace("T", " ") + " UTC"


TAB = RunTab("provenance", "Provenance", lambda asked: provenance_tab(asked.run), of_designs=False)
