"""A page as one self-contained HTML file: style sheet, font, figures and scripts are included."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from dash import html
from dash._utils import to_json
from dash.development.base_component import Component

from frontend.folders import ASSETS
from frontend.vendor import plotly_source

FILE_WIDTH_PX = 1060
_STYLE = """
body { max-width: 1120px; margin: 24px auto; padding: 0 16px; background: var(--p-bg); }
h1 { font-size: 20px; } h2 { font-size: 15px; margin: 20px 0 8px; } .card { padding: 12px; margin-bottom: 12px; overflow-x: auto; }
.pair { display: flex; gap: 8px; flex-wrap: wrap; } .names > div { display: flex; gap: 8px; align-items: center; margin: 4px 0; }
@media print {
  html, body { margin: 0; background: white; } h2 { break-after: avoid; }
  .card { break-inside: avoid; border: 0; padding: 0; } .card:has(tr:nth-child(28)) { break-inside: auto; }
}
"""
_SHEETS = ("tokens.css", "base.css", "components.css", "compare.css")


class FileFigures:
    """The figures of a file, in the order in which they are drawn; those of one group share their time axis and zoom together.

    Attributes:
        drawings: figure and name of its group, "" for none.
    """

    def __init__(self) -> None:
        self.drawings: list[tuple[Any, str]] = []

    def drawn(self, figure: Any, height_px: float, width_px: float = FILE_WIDTH_PX, group: str = "") -> Component:
        """Return the place of one more figure."""
        self.drawings.append((figure, group))
        size = {"width": f"{width_px:g}px", "height": f"{height_px:g}px"}
        return html.Div(id=f"figure-{len(self.drawings)}", className="figure", style=size)


def html_file(title: str, body: str, figures: FileFigures, style: str = "") -> str:
    """Return the file as text.

    Args:
        title: title of the window.
        body: HTML that is safe, with the places of the figures.
        figures: drawn there once the file is open.
        style: further rules.
    """
    sheets = "\n".join((ASSETS / name).read_text() for name in _SHEETS)
    # A figure's words may hold "</script>"; JSON may write "<" in another way.
    drawn = to_json([{"figure": figure, "group": group} for figure, group in figures.drawings]).replace("<", "\\u003c")
    font = base64.b64encode((ASSETS / "fonts" / "inter-latin-wght-normal.woff2").read_bytes()).decode()
    face = f'@font-face{{font-family:"Inter Variable";font-weight:100 900;src:url(data:font/woff2;base64,{font})}}'
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>{sheets}{face}{_STYLE}{style}</style>
</head>
<body>
{body}
<script>{plotly_source()}</script>
<script>
var figures = {drawn};
document.fonts.ready.then(function () {{
  var busy = false;
  figures.forEach(function (item, i) {{
    item.plot = document.getElementById("figure-" + (i + 1));
    Plotly.newPlot(item.plot, item.figure.data, item.figure.layout, {{ displayModeBar: false }});
    item.plot.on("plotly_relayout", function () {{
      if (busy || !item.group) {{ return; }}
      busy = true;
      var others = figures.filter(function (other) {{ return other.group === item.group && other !== item; }});
      var range = item.plot._fullLayout.xaxis.range.slice();
      Promise.all(others.map(function (other) {{ return Plotly.relayout(other.plot, {{ "xaxis.range": range }}); }}))
        .finally(function () {{ busy = false; }});
    }});
  }});
}});
</script>
</body>
</html>
"""
