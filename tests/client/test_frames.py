"""Answers as frames, where they have gaps or unusual keys."""

from __future__ import annotations

import ast
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from paretoscope_client import MissingPackageError
from paretoscope_client.frames import of_columns, of_table, optional

CLIENT = Path(__file__).resolve().parents[2] / "client"


def table(**changes: Any) -> dict[str, Any]:
    cell = {"median": 1.5, "min": 1.0, "max": None, "values": 2}
    found = {
        "row_axes": ["workload", "params.limits"],
        "column_axis": "seed",
        "columns": [1, 2],
        "rows": [{"key": ["a", [1, 2]], "cells": [cell, {**cell, "median": None}]}],
        "quantity": {"name": "latency_s", "unit": "s"},
    }
    return {**found, **changes}


def test_a_table_has_its_axes() -> None:
    frame = of_table(table())
    assert frame.index.names == ["workload", "params.limits"] and frame.columns.name == "seed"
    assert frame.loc[("a", "[1, 2]"), 1] == 1.5 and math.isnan(frame.iloc[0, 1])
    assert of_table(table(), "values").iloc[0, 0] == 2 and math.isnan(of_table(table(), "max").iloc[0, 0])
    assert frame.attrs["quantity"]["unit"] == "s"


def test_a_table_of_one_row_axis_and_of_none() -> None:
    rows = table()["rows"]
    one = of_table(table(row_axes=["workload"], rows=[{**rows[0], "key": ["a"]}]))
    assert one.index.tolist() == ["a"] and one.index.name == "workload"
    none = of_table(table(row_axes=[], rows=[{**rows[0], "key": []}], column_axis=""))
    assert none.shape == (1, 2) and none.columns.name is None


def test_what_is_not_defined_is_no_number() -> None:
    column = {"name": "latency_s", "title": "Latency", "unit": "s", "values": [None, 2.0]}
    frame = of_columns([{"design": [4, 7], "label": ["", "b"], "columns": [column]}])
    assert math.isnan(frame["latency_s"][4]) and frame["latency_s"][7] == 2.0
    empty = of_columns([{"design": [], "label": [], "columns": [{**column, "values": []}]}])
    assert empty.empty and empty["latency_s"].dtype == "float64"


def test_a_missing_package_is_named() -> None:
    with pytest.raises(MissingPackageError, match=r"package nowhere.*paretoscope-client\[pandas\]"):
        optional("nowhere.at_all", "pandas")


def test_it_starts_without_optional_packages_and_without_the_product() -> None:
    """Start as on a device where this package alone is installed."""
    code = (
        "import sys\n"
        "for name in ('pandas', 'pyarrow', 'plotly', 'django', 'engines', 'webapp'): sys.modules[name] = None\n"
        "import paretoscope_client as client\n"
        "site = client.Paretoscope('http://127.0.0.1:9', 'pts_x')\n"
        "run = client.Run(site.connection, {'id': 1})\n"
        "for ask in (lambda: client.front_figure(run), lambda: run.convergence()):\n"
        "    try: ask()\n"
        "    except client.MissingPackageError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CLIENT, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert "client[plotly]" in done.stdout and "client[pandas]" in done.stdout


def test_it_imports_nothing_of_the_product() -> None:
    wanted = {
        (name.name if isinstance(node, ast.Import) else node.module or "").partition(".")[0]
        for path in (CLIENT / "paretoscope_client").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    optional_ones = [line for lines in project["optional-dependencies"].values() for line in lines]
    installed = {re.split(r"[<>=]", line)[0] for line in [*project["dependencies"], *optional_ones]}
    assert wanted <= set(sys.stdlib_module_names) | installed | {"paretoscope_client"}
