"""The page docs/notebook.md, block by block, as a notebook would run it: no browser, but the same site with its workers."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

import paretoscope_client
from paretoscope_client import Paretoscope
from tests.support.site import Site

PAGE = Path(__file__).resolve().parents[2] / "docs" / "notebook.md"
ADDRESS = "http://127.0.0.1:8000"
TOKENS = (
    "from django.contrib.auth.models import User\nfrom webapp.api.tokens import make_token\n"
    "ada = User.objects.get(username='ada')\n"
    "print(*(make_token(ada, scope, scope=scope)[1] for scope in ('write', 'read')))"
)


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """What a notebook shows under a cell: the value of its last line."""
    tree = ast.parse(source)
    *before, last = tree.body
    if not isinstance(last, ast.Expr):
        exec(compile(tree, str(PAGE), "exec"), names)
        return None
    exec(compile(ast.Module(before, []), str(PAGE), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(PAGE), "eval"), names)


@pytest.mark.long
def test_every_block_of_the_page_does_what_it_says(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    token, reading = site.python("manage.py", "shell", "--no-imports", "-c", TOKENS).split()
    names: dict[str, Any] = {"token": token}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        shown = [run_cell(source.replace(ADDRESS, site.url), names) for source in blocks()]
    engines, run, fastest, figure, scored, _, _, table, reference = shown
    assert "soc-mapping" in engines
    assert run.status == "done" and repr(run).startswith(f"<Run {run.number} 'ViG-S on Xavier': done, ")
    front = names["front"]
    assert isinstance(fastest, pd.Series) and fastest["latency_s"] == front["latency_s"].min() > 0
    assert isinstance(figure, go.Figure) and list(figure.data[1].x) == sorted(front[_first(figure, front)])
    assert scored["latency_s"].tolist() == [fastest["latency_s"]] and names["schedule"]["lanes"]
    assert names["tight"].front().empty and "No design can meet the limits." in printed.getvalue()
    assert "params.population 1 " in printed.getvalue()
    assert table.shape == (2, 1) and table.notna().all().all()
    assert reference == "ada/my-xavier@1"
    bars = capsys.readouterr().err
    for words in (f"Run {run.number}: done, ", "infeasible. No design", "2 of 2 runs done"):
        assert words in bars
    reader = Paretoscope(site.url, reading)
    assert names["tight"].number in [run.number for run in reader.runs(outcome="infeasible")]
    with pytest.raises(paretoscope_client.NotAllowedError, match="scope"):
        reader.explore("soc-mapping", run.problem()["inputs"])


def _first(figure: go.Figure, front: pd.DataFrame) -> str:
    title = figure.layout.xaxis.title.text.partition(" (")[0]
    return next(name for name, facts in front.attrs["columns"].items() if facts["title"] == title)


def test_every_error_of_the_package_is_on_the_page() -> None:
    errors = {name for name in paretoscope_client.__all__ if name.endswith("Error")} - {"ApiError"}
    assert errors == set(re.findall(r"`(\w+Error)`", PAGE.read_text())) | {"ParetoscopeError"}
