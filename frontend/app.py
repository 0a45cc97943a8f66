"""Builds the Dash application: assets, frame, pages and their callbacks."""

from __future__ import annotations

import flask
from dash import Dash
from dash._callback_context import context_value

from frontend.callback_bodies import answer_errors
from frontend.folders import ASSETS
from frontend.live import register_answers
from frontend.pages import register_pages
from frontend.vendor import unpack_plotly

# Scripts in here stand in the head of INDEX; Dash would otherwise load them a second time at the end of the body.
_HEAD_FOLDER = "head"

INDEX = f"""<!DOCTYPE html>
<html lang="en">
  <head>
    {{%metas%}}
    <title>{{%title%}}</title>
    <link rel="icon" type="image/svg+xml" href="/assets/mark.svg">
    <script src="/assets/{_HEAD_FOLDER}/scheme.js"></script>
    {{%css%}}
  </head>
  <body>
    <noscript><p class="strip bad">This page needs JavaScript. Allow scripts of this site, then load the page again.</p></noscript>
    {{%app_entry%}}
    <footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
  </body>
</html>"""


def build(csrf_cookie: str, csrf_header: str = "X-CSRFToken", prefix: str = "") -> Dash:
    """Return the application, with its server set up; to be called once per process.

    Args:
        csrf_cookie: name of the cookie whose value callbacks send back.
        csrf_header: name of the header in which they send it.
        prefix: path below which a proxy serves the site, without a slash at its end.
    """
    context_value.set({})  # pages register themselves in any thread, Dash was perhaps imported in another one
    unpack_plotly(ASSETS / "vendor")
    app = Dash(
        "paretoscope",
        server=flask.Flask("paretoscope"),  # type: ignore[arg-type]  # Dash documents a Flask here
        routes_pathname_prefix="/",
        requests_pathname_prefix=f"{prefix}/",
        use_pages=True,
        pages_folder="",
        include_pages_meta=False,
        assets_folder=str(ASSETS),
        assets_path_ignore=[f"^{_HEAD_FOLDER}$", "^fonts$", "^icons$"],
        index_string=INDEX.replace("/assets/", f"{prefix}/assets/"),
        serve_locally=True,
        compress=False,
        suppress_callback_exceptions=True,
        title="Paretoscope",
        update_title="",
        add_log_handler=False,
        csrf_token_name=csrf_cookie,
        csrf_header_name=csrf_header,
        # Dash turns async where asgiref is importable, and Django brings it: database calls in callbacks would then fail.
        use_async=False,
        enable_mcp=False,
        websocket_callbacks=False,
    )
    from frontend.components.shell.shell import layout  # its callbacks belong to the application above

    answer_errors(app.server, app.callback_map)
    register_pages()
    register_answers()
    from frontend.pages.compare.export import add_page_route
    from frontend.pages.report.export import add_report_route
    from frontend.pages.run.paper_figure import add_figure_route

    add_page_route(app.server)
    add_report_route(app.server)
    add_figure_route(app.server)
    app.layout = layout
    # What Dash does at its first request, among it the callback that shows pages: else two first requests would each do it.
    with app.server.test_request_context("/"):
        app.server.preprocess_request()
    return app
