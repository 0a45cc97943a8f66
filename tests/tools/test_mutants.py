"""Groups of the mutation tests, and the list of mutants that are known to live."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tools import mutants


@pytest.mark.parametrize("name", mutants.GROUPS)
def test_a_group_names_modules_and_tests_that_exist(name: str) -> None:
    group = mutants.GROUPS[name]
    assert all(list(mutants.ROOT.glob(pattern)) for pattern in group.modules)
    assert all((mutants.ROOT / path.partition("::")[0]).is_file() for path in group.tests)


def test_lines_that_say_why_are_no_survivors() -> None:
    assert mutants.known_survivors("# equal results\na.py f: x -> y\n\n") == {"a.py f: x -> y"}


def test_what_is_known_to_live_is_still_there() -> None:
    for line in mutants.known_survivors(mutants.KNOWN.read_text()):
        path, function = re.match(r"(\S+) (?:\w+\.)?(\w+): ", line).groups()  # type: ignore[union-attr]
        text = (mutants.ROOT / path).read_text()
        assert f"def {function}(" in text, line
        was = line.partition(": ")[2].partition(" -> ")[0]
        assert " ".join(was.split()) in " ".join(text.split()) or "no test of the group" in line, line


def test_the_folder_of_a_group_links_to_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "WORK", tmp_path)
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "engines").symlink_to(tmp_path)  # of another tree
    folder = mutants.prepared("training", mutants.GROUPS["training"])
    said = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]
    assert said["mutmut"]["only_mutate"] == [*mutants.GROUPS["training"].modules]
    assert said["pytest"]["ini_options"]["DJANGO_SETTINGS_MODULE"] == "tests.settings"
    assert (folder / "engines").resolve() == mutants.ROOT / "engines" and mutants.prepared(
        "training", mutants.GROUPS["training"]
    ) == folder


def test_copies_are_made_again_but_mutants_stay(tmp_path: Path) -> None:
    group = mutants.GROUPS["seesaw"]
    kept = [f"engines/methods/seesaw/costs/power.py{ending}" for ending in ("", ".meta", ".spans")]
    for name in (*kept, "engines/methods/seesaw/predictor/tree.py", "tests/test_x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    mutants.forget_copies(tmp_path, group)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == kept


def test_an_unknown_group_is_refused_with_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main(["tests"]) == 2
    assert "training" in capsys.readouterr().err


def test_a_group_that_fails_keeps_no_other_from_running(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def ran(folder: Path) -> bool:
        asked.append(folder.name)
        (folder / "survivors.txt").touch()
        (folder / "counts.txt").write_text("0 mutants")
        return folder.name != "seesaw"

    monkeypatch.setattr(mutants, "WORK", tmp_path)
    monkeypatch.setattr(mutants, "ran", ran)
    assert mutants.main(["seesaw", "sbrs"]) == 2 and asked == ["seesaw", "sbrs"]
    assert mutants.main(["sbrs"]) == 0
