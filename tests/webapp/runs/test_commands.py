"""`manage.py explore` and `manage.py demo`, in this process and as real processes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from engines.contract.document_text import to_yaml
from engines.documents.builtin import get_builtin
from tests.support.databases import SQLITE
from tests.support.live import PATIENCE_S, ROOT, LiveSite
from webapp.runs.management.commands.explore import _value as value_of
from webapp.runs.models import Run


def explore(*arguments: str) -> str:
    out = io.StringIO()
    call_command("explore", *arguments, stdout=out)
    return out.getvalue()


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
    with pytest.raises(CommandError, match=r"a readable file.*No such file"):
        explore("scar", "--hardware", "nowhere.yaml", "--workload", str(network), *settings)


@SQLITE
def test_explore_tells_an_infeasible_and_a_broken_run(live_site: LiveSite) -> None:
    assert "No design can meet the limits" in explore("toy", "--set", "energy_limit_j=0.5")
    with pytest.raises(CommandError) as caught:
        explore("toy", "--set", "crash_at=1")
    assert caught.value.returncode == 1
    assert get_user_model().objects.filter(username="local").count() == 1


def command(site: LiveSite, *arguments: str) -> subprocess.Popen[bytes]:
    """A real command that knows the toys."""
    code = (
        "import sys; from tests.support.toy_engine import register_toys; register_toys(); import os; "
        "os.environ['DJANGO_SETTINGS_MODULE']='webapp.site.settings'; "
        "from django.core.management import execute_from_command_line as e; e(['manage.py', *sys.argv[1:]])"
    )
    environment = {
        **os.environ, "DATABASE_URL": site.database.url, "PARETOSCOPE_VAR": str(site.database.folder), "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@SQLITE
def test_ctrl_c_stops_the_run_and_keeps_what_is_stored(live_site: LiveSite) -> None:
    process = command(live_site, "explore", "toy", "--set", "steps=1000", "--set", "step_seconds=0.1", "--user", "ann")
    run = live_site.wait(Run.objects.first, "the command stores its run")
    live_site.wait_for_steps(run, 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 1
    live_site.wait_for_status(run, "stopped")
    assert run.design_count >= 8


@SQLITE
@pytest.mark.long
def test_a_worker_goes_on_when_the_command_is_asked_to_end(live_site: LiveSite) -> None:
    process = command(live_site, "explore", "toy", "--set", "steps=12", "--set", "step_seconds=0.2", "--user", "ann")
    run = live_site.wait(Run.objects.first, "the command stores its run")
    live_site.wait_for_steps(run, 1)
    assert "(command)" in run.lease_owner
    process.terminate()
    process.wait(PATIENCE_S)
    live_site.wait_for_status(run, "queued")
    live_site.worker()
    live_site.wait_for_status(run, "done")
    live_site.assert_same_designs(run)


def demo_has(password: str) -> bool:
    return get_user_model().objects.get(username="demo").check_password(password)


@SQLITE
def test_demo_prints_its_password_once_and_keeps_only_a_hash(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"engine": "toy", "params": {"steps": 2}, "seed": 1}
    monkeypatch.setattr("webapp.runs.management.commands.demo.FIRST_EXPLORATION", small)

    def demo(*arguments: str) -> str:
        out = io.StringIO()
        call_command("demo", *arguments, stdout=out)
        return out.getvalue()

    def password_in(text: str) -> str:
        found = re.search(r"Password: (\S+)", text)
        assert found
        return found[1]

    first = demo()
    password = password_in(first)
    assert len(password) >= 12 and demo_has(password)
    user: Any = get_user_model().objects.get(username="demo")
    assert password not in user.password and user.personal_project is not None
    assert "Het-Sides" in first and Run.objects.get().status == "done"
    assert "Password" not in demo() and Run.objects.count() == 1
    new = password_in(demo("--reset-password", "--no-run"))
    assert new != password and not demo_has(password)
    assert demo_has(new)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("4", 4),
        ("0.5", 0.5),
        ("true", True),
        ("a: 1; b: 2", "a: 1; b: 2"),
        ("r1: 1 0 0 0", "r1: 1 0 0 0"),
        ("{a: 1}", {"a": 1}),
    ],
)
def test_texts_with_colons_are_texts(text: str, read: object) -> None:
    assert value_of(text) == read
