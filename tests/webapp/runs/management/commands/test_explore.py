from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from engines.contract.encoding.document_text import to_yaml
from engines.documents.builtin import get_builtin
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from tests.webapp.runs.commands_for_tests import explore
from webapp.runs.management.commands.explore import _value as value_of
from webapp.runs.models import Run


def test_explore_runs_here_and_stores_the_run_like_any_other(live_site: LiveSite, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    text = explore("toy", "--set", "steps=4", "--seed", "5", "--user", "ann", "--title", "By hand", "--json", str(file))
    run = Run.objects.get()
    assert (run.status, run.title, run.owner, run.seed, run.design_count) == ("done", "By hand", live_site.ann, 5, 16)
    assert "Best design found" in text and f"/runs/{run.pk}" in text
    live_site.assert_same_designs(run)
    written = json.loads(file.read_text())
    assert written["problem"] == run.problem and len(written["designs"]) == 16
    assert "went" not in text and run.lease_owner == ""


@SQLITE
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("toy", "--set", "steps=0"), r"params\.steps"),
        (("toy", "--set", "steps"), "NAME=VALUE"),
        (("toy", "--input", "weights"), "SLOT=SLUG"),
        (("nothing",), "one of .*scar"),
        (("toy", "--user", "nobody"), "one of ann, bob"),
        (("toy", "--user", "ann", "--project", "bob"), "one of ann"),
        (("toy", "--hardware", "simba-3x3-het-sides"), "hardware"),
    ],
)
def test_explore_refuses_with_the_reason(live_site: LiveSite, arguments: tuple[str, ...], text: str) -> None:
    with pytest.raises(CommandError, match=text) as caught:
        explore(*arguments)
    assert caught.value.returncode == 2 and not Run.objects.exists()


PACKAGE = {"slug": "my-package", "title": "My package"}


NETWORK = """
schema: network/1
slug: my-network
title: My network
short_title: Mine
source: a test
operations:
  - {name: stem, kind: conv, k: 8, c: 3, r: 3, s: 3, y: 16, x: 16, pad: 1}
  - {name: relu, kind: activation}
"""


@SQLITE
def test_a_refusal_is_written_as_data_too(live_site: LiveSite, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    with pytest.raises(CommandError):
        explore("toy", "--set", "steps=0", "--json", str(file))
    error = json.loads(file.read_text())["error"]
    assert (error["code"], error["field"], error["got"]) == ("invalid-value", "params.steps", 0)
    assert error["accepted"] and error["message"] and error["remedies"] == []


def test_explore_takes_hardware_and_workload_from_files(live_site: LiveSite, tmp_path: Path) -> None:
    builtin = get_builtin("hardware", "simba-3x3-het-checkerboard").content
    exported, edited, network = tmp_path / "exported.yaml", tmp_path / "edited.yaml", tmp_path / "network.yaml"
    exported.write_text(to_yaml(builtin))
    edited.write_text(to_yaml({**builtin, **PACKAGE}))
    network.write_text(NETWORK)
    settings = ("--user", "ann", "--set", "evaluations=100")
    for hardware in (edited, edited, exported):
        explore("scar", "--hardware", str(hardware), "--workload", str(network), *settings)
    named = [sorted(run.inputs.values_list("slug", "version")) for run in Run.objects.order_by("pk")]
    mine = [("my-network", 1), ("my-package", 1)]
    assert named == [mine, mine, [("my-network", 1), ("simba-3x3-het-checkerboard", 1)]]
    assert not Run.objects.exclude(status="done").exists()
    network.write_text(NETWORK.replace("y: 16", "y: -16"))
    with pytest.raises(CommandError, match=r"operations\.0\.y.*at least 1") as caught:
        explore("scar", "--hardware", "simba-3x3-het-checkerboard", "--workload", str(network), *settings)
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match=r"cannot be read: No such file.* Must be a readable file"):
        explore("scar", "--hardware", "nowhere.yaml", "--workload", str(network), *settings)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("4", 4),
        ("0.5", 0.5),
        ("true", True),
        ("a: 1; b: 2", "a: 1; b: 2"),
        ("r1: 1 0 0 0", "r1: 1 0 0 0"),
        ("{a: 1}", {"a": 1}),
        ("1e3", 1000.0),
        ("off", "off"),
        ("010", "010"),
        ("6:00", "6:00"),
        ("[1, 0x10]", "[1, 0x10]"),
        ("2026-05-01", "2026-05-01"),
        ("", None),
        ("1e-05", 0.00001),
        ("5E-5", 0.00005),
        ('"1e3"', "1e3"),
    ],
)
def test_what_yaml_would_take_for_something_else_is_text(text: str, read: object) -> None:
    assert value_of(text) == read
