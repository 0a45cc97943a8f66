"""The page on workloads says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.loader import builtin_network, load_scenario, load_workload_text
from engines.workloads.network import ScenarioModel
from engines.workloads.schema import OperationKind

PAGE = (Path(__file__).parents[3] / "docs" / "workloads.md").read_text(encoding="utf-8")


def test_the_example_on_the_page_loads() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    _, scenario = load_workload_text(example)
    assert [len(model.network.layers) for model in scenario.models] == [54, 3]


def test_every_kind_of_operation_is_on_the_page() -> None:
    kinds = " ".join(re.findall(r"`([a-z_ ]+)`", PAGE)).split()
    assert set(get_args(OperationKind)) <= set(kinds)


def test_the_table_of_networks_is_what_loads() -> None:
    pattern = r"\| `([a-z0-9-]+)` \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
    rows = {slug: tuple(float(figure) for figure in figures) for slug, *figures in re.findall(pattern, PAGE)}
    assert set(rows) == set(builtin_networks())
    for slug, row in rows.items():
        network = builtin_network(slug)
        figures = (network.macs / 1e9, network.weight_elements / 1e6, network.lookup_elements / 1e6)
        operations = len(builtin_networks()[slug]["operations"])
        assert row == (operations, len(network.layers), *(round(figure, 3) for figure in figures))


def test_the_tables_of_scenarios_are_what_loads() -> None:
    rows = dict(re.findall(r"\| `([a-z0-9-]+)` \| ([^|]+ \([\d.]+(?: fps)?[^|]*) \|", PAGE))
    assert set(rows) == set(builtin_scenarios())
    for slug, words in rows.items():
        models = load_scenario(builtin_scenarios()[slug]).models
        assert words.split("), ") == [_told(model).rstrip(")") for model in models[:-1]] + [_told(models[-1])]


def _told(model: ScenarioModel) -> str:
    within = f", within {model.deadline_s * 1e3:g} ms" if model.deadline_s else ""
    if model.rate_fps is None:
        return f"{model.network.title.split(',')[0]} ({model.batch}{within})"
    rare = f", {model.probability:.0%} of them" if model.probability != 1 else ""
    after = f", after {model.depends_on}" if model.depends_on else ""
    return f"{model.network.title.split(',')[0]} ({model.rate_fps:g} fps{rare}{after}{within})"
