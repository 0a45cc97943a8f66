"""The page of an environment or a recording: what changes over time as a picture, its tracks, sources, versions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.results import Band, Series, Trace
from engines.documents.families import family_of
from engines.recordings.loader import load_recording
from engines.recordings.recording import ROUTE, Recording, Track
from engines.recordings.routes import mean_curvature_per_m, route_of, turns_deg
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.shell.shell import remembered_scheme
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import duration, integer, si
from frontend.ids.catalogue import SeriesIds
from frontend.pages.catalogue.document.frame import DocumentView, head
from frontend.pages.catalogue.document.versions import versions_and_notes
from frontend.results.registry import draw
from frontend.theme import Scheme
from hardware.environment.loader import load_environment
from hardware.environment.model import Environment
from webapp.teams.visibility import Principal

_MOST_TRACKS = 200  # rows of a table
_MOST_POINTS = 3000
_UNITS = {"share": ("%", 100.0), "deg": ("°", 1.0), "degC": ("°C", 1.0), "1": ("", 1.0)}


def page(principal: Principal, shown: DocumentView) -> Component:
    """Return the content of the page below the navigation bar."""
    kind = shown.entry.kind
    document = {"kind": kind, "name": shown.entry.name, "version": shown.entry.version}
    picture = html.Div(picture_of(shown, remembered_scheme()), id=SeriesIds.PICTURE)
    if kind == "environment":
        main = [card("Over time", picture, actions=[figure_menu()], flush=True)]
    else:
        recording = load_recording(shown.entry.content)
        first = f"first track: {recording.tracks[0].title}"
        main = [card("Over time", picture, subtitle=first, actions=[figure_menu()], flush=True), tracks_card(recording)]
    side = html.Div([_about(shown), versions_and_notes(principal, shown)], className="document-side stack g12")
    body = html.Div([html.Div(main, className="stack g12 grow"), side], className="row top g12")
    return html.Div(
        [
            dcc.Store(id=SeriesIds.DOCUMENT, data=document),
            head(shown, family_of(shown.entry.content).title, html.Div(shown.entry.summary, className="sm t2")),
            html.Div(body, className="page"),
        ]
    )


def picture_of(shown: DocumentView, scheme: Scheme) -> Component:
    """Return the figure of the values over time, in the colours of a scheme."""
    content = shown.entry.content
    if shown.entry.kind == "environment":
        return draw(environment_trace(load_environment(content)), scheme)
    return draw(recording_trace(load_recording(content)), scheme)


def environment_trace(environment: Environment) -> Trace:
    """Return every profile at all times at which one of them changes, with the named periods."""
    times = np.unique(
        np.concatenate([[0.0, environment.duration_s], *(p.times_s for p in environment.profiles.values())])
    )
    times = times[(times >= 0) & (times <= environment.duration_s)]
    series = tuple(
        _series(p.title, p.at(times), p.unit, "step" if p.between == "held" else "line")
        for p in environment.profiles.values()
    )
    bands = tuple(Band(period.start_s, period.end_s, period.title) for period in environment.periods)
    return Trace("profiles", environment.title, times, series, bands=bands)


def recording_trace(recording: Recording) -> Trace:
    """Return the first track; of a route its speed and how fast it turns."""
    track = recording.tracks[0]
    times = track.times_s - track.times_s[0]
    if recording.measures == ROUTE:
        track = track.resampled(1.0)
        route, times = route_of(track.columns, 1.0), track.times_s
        columns = {"speed": np.gradient(route.way_m), "turn per second": turns_deg(route)}
        series = tuple(
            _series(name, columns[name], unit) for name, unit in (("speed", "m/s"), ("turn per second", "deg"))
        )
    else:
        series = tuple(_series(name, values, recording.units[name]) for name, values in track.columns.items())
    every = -(-times.size // _MOST_POINTS)
    thinned = tuple(Series(each.title, each.y[::every], each.unit) for each in series)
    return Trace("track", track.title, times[::every], thinned)


def tracks_card(recording: Recording) -> Component:
    """Return the duration and points of every track, and of routes their length and curvature."""
    shown = recording.tracks[:_MOST_TRACKS]
    route = recording.measures == ROUTE
    columns = [Column("Track"), Column("Duration", number=True), Column("Points", number=True)]
    columns += [Column("Length", number=True), Column("Turning (°/100 m)", number=True)] if route else []
    rows = [_track_cells(track, route) for track in shown]
    words = integer(len(recording.tracks))
    words += f", the first {_MOST_TRACKS} listed" if len(recording.tracks) > _MOST_TRACKS else ""
    table = html.Div(plain_table(columns, rows), className="table-scroll")
    return card("Tracks", table, subtitle=words, flush=True)


def _track_cells(track: Track, route: bool) -> list[Component | str]:
    cells: list[Component | str] = [track.title, duration(track.duration_s), integer(track.times_s.size)]
    if route:
        way = route_of(track.resampled(1.0).columns, 1.0)
        cells += [f"{way.way_m[-1] / 1000:.2f}\u00a0km", f"{np.degrees(mean_curvature_per_m(way)) * 100:.0f}"]
    return cells


def _series(title: str, values: np.ndarray, unit: str, style: str = "line") -> Series:
    symbol, factor = _UNITS.get(unit, (unit, 1.0))
    name = title.replace("_", " ")
    return Series(name[:1].upper() + name[1:], np.asarray(values, np.float64) * factor, symbol, style=style)


def _about(shown: DocumentView) -> Component:
    content: Mapping[str, object] = shown.entry.content
    facts: list[Component] = [html.P(str(content.get("source", "")), className="sm")]
    if content.get("generator"):
        facts.insert(0, html.Div(chip("synthetic: generated, not recorded", tone="warn")))
    if content.get("summary"):
        facts.insert(0, html.P(str(content["summary"]), className="sm"))
    if isinstance(content.get("duration_s"), int | float):
        facts.append(html.P(f"Lasts {si(float(str(content['duration_s'])) / 3600.0, 'h')}", className="sm t2"))
    return card("About", html.Div(facts, className="stack g8"))
