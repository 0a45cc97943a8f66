"""Mutation tests: change formulas one place at a time and list the changes that no test notices.

Usage: mutants.py [GROUP ...], all groups by default. mutmut makes the mutants and runs each against the tests that reach it, in
`var/mutants/GROUP`, where what is known is kept: what has not changed since is not run again. Survivors that stand in
`tests/mutants.txt` are known; any other one is printed, and the command fails. Mutmut changes functions alone: constants of a
module and class bodies stay as they are.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "var" / "mutants"
KNOWN = ROOT / "tests" / "mutants.txt"
# Imported by tests, or read by them.
LINKED = ("engines", "hardware", "webapp", "frontend", "paretoscope", "tools", "tests", "docs", "manage.py")
_METHODS, _TESTS = "engines/methods", "tests/engines/methods"


@dataclass(frozen=True)
class Group:
    """Modules that are changed, and the tests that are to notice: quick ones, for every mutant starts its own.

    Attributes:
        modules: patterns of paths.
        tests: arguments of pytest.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


# Scoring and costs of methods, by their names; their tests are those of the same names. SCAR's are in `chiplets`.
_SCORING: Mapping[str, str] = {
    "duet": "costs scoring",
    "eexnas": "costs scoring acquisition",
    "energyshield": "scoring",
    "hadas": "pricing scoring",
    "magnas": "search/costs search/scoring",
    "map_and_conquer": "model/accuracy model/cut_costs model/equations model/scoring",
    "mapformer": "managers/latent_actions problem/solo_throughput",
    "myml": "costs scoring",
    "neksus": "package_cost scoring",
    "package_search": "packages/package_cost",
    "privynas": "costs",
    "sbrs": "scoring",
    "seesaw": "costs/tree_cost",
    "split_computing": "bottleneck/costs bottleneck/measuring controllers scoring system",
    "split_network": "scoring",
}


def _scoring_group(code: str, tests: str, names: str) -> Group:
    """Return the modules of a folder, and the tests that mirror them."""
    mirrors = [Path(tests) / Path(name).parent / f"test_{Path(name).name}.py" for name in names.split()]
    return Group(
        tuple(f"{code}/{name}.py" for name in names.split()),
        tuple(path.as_posix() for path in mirrors if (ROOT / path).is_file()),
    )


def _reproduction_tests(method: str, slow: Sequence[str]) -> tuple[str, ...]:
    """Return the tests of a method's reproduction but those that run engines."""
    found = sorted((ROOT / _TESTS / method / "reproduction").glob("test_*.py"))
    return tuple(path.relative_to(ROOT).as_posix() for path in found if path.stem not in slow)


GROUPS: Mapping[str, Group] = {
    "training": Group(
        (f"{_METHODS}/magnas/supernet/training.py", "engines/supernets/measuring.py", "engines/data/torch_images.py"),
        # Not those that run a whole training: they take ten seconds, for every mutant.
        (
            "tests/engines/data/test_torch_images.py",
            *(
                f"{_TESTS}/magnas/supernet/test_training.py::test_{name}"
                for name in (
                    "a_sandwich_has_the_largest_and_the_smallest_with_one_operator_and_dealt_others",
                    "a_restored_training_goes_on_bit_for_bit",
                    "accuracy_is_the_share_told_right_with_statistics_of_training_examples",
                    "batches_of_an_epoch_share_its_examples_out",
                    "dropout_keeps_the_mean_and_is_drawn_anew_for_every_subnet_and_step",
                    "images_are_scaled_to_the_side_and_to_values_up_to_one",
                    "the_largest_subnet_teaches_the_others_by_the_share_of_the_distillation",
                    "the_learning_rate_falls_along_a_cosine",
                    "the_loss_of_the_random_subnets_is_their_mean",
                )
            ),
        ),
    ),
    "training-plan": Group(
        tuple(f"{_METHODS}/magnas/supernet/{name}.py" for name in ("curves", "engine", "planning")),
        tuple(f"{_TESTS}/magnas/supernet/test_{name}.py" for name in ("curves", "engine", "planning")),
    ),
    "seesaw": Group(
        tuple(f"{_METHODS}/seesaw/{name}.py" for name in ("costs/power", "predictor/run_time", "evaluation")),
        tuple(
            f"{_TESTS}/seesaw/{name}.py" for name in ("costs/test_power", "predictor/test_run_time", "test_evaluation")
        ),
    ),
    "chiplets": Group(
        tuple(f"engines/chiplets/costs/{name}.py" for name in ("scoring", "timeline", "traffic")),
        (
            *(
                f"tests/engines/chiplets/{name}.py"
                for name in ("costs/test_scoring", "costs/test_timeline", "costs/test_traffic", "test_explain")
            ),
            "tests/engines/chiplets/costs/test_contention.py::test_waiting_by_hand",
        ),
    ),
    "sbrs": Group(
        (f"{_METHODS}/sbrs/transition.py",),
        (f"{_TESTS}/sbrs/test_transition.py",),
    ),
    **{
        f"{method}-scoring": _scoring_group(f"{_METHODS}/{method}", f"{_TESTS}/{method}", names)
        for method, names in _SCORING.items()
    },
    # Of soc_mapping and MaGNAS.
    "mapping-scoring": _scoring_group("engines/mapping", "tests/engines/mapping", "designs/scoring solver/unit_costs"),
    **{
        f"{method}-reproduction": Group((f"{_METHODS}/{method}/reproduction/*.py",), _reproduction_tests(method, slow))
        for method, slow in (
            ("scar", ("test_reproduction",)),
            ("magnas", ("test_reproduction",)),
            ("sbrs", ()),
            ("seesaw", ()),
        )
    },
}


def main(names: Sequence[str]) -> int:
    """Run groups; 0 where no new mutant survived, 2 where mutmut failed in one: the others are run all the same."""
    if unknown := sorted(set(names) - set(GROUPS)):
        print(f"GROUP must be one of {', '.join(GROUPS)}. Got {', '.join(unknown)} instead.", file=sys.stderr)
        return 2
    fresh, failed = 0, False
    known = known_survivors(KNOWN.read_text() if KNOWN.exists() else "")
    for name in names or GROUPS:
        folder = prepared(name, GROUPS[name])
        if not ran(folder):
            failed = True
            continue
        found = (folder / "survivors.txt").read_text().splitlines()
        new = [line for line in found if line not in known]
        fresh += len(new)
        print(f"{name}: {(folder / 'counts.txt').read_text().strip()}; new below, known in {KNOWN.relative_to(ROOT)}")
        print("".join(f"  {line}\n" for line in new), end="", flush=True)
    return 2 if failed else 1 if fresh else 0


def ran(folder: Path) -> bool:
    """Let mutmut work in a folder; whether it came to its end."""
    log = folder / "log.txt"
    command = [sys.executable, str(ROOT / "tools" / "mutants_of_folder.py")]
    with log.open("w") as output:
        found = subprocess.run(command, cwd=folder, env=_environment(folder), stdout=output, stderr=output, check=False)
    if found.returncode:
        print(f"mutmut failed, see {log}.", file=sys.stderr)
    return not found.returncode


def known_survivors(text: str) -> frozenset[str]:
    """Return the lines of the list, without those that say why."""
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def prepared(name: str, group: Group) -> Path:
    """Return the folder in which mutmut works: links to the tree, and its settings."""
    folder = WORK / name
    folder.mkdir(parents=True, exist_ok=True)
    for each in LINKED:
        link = folder / each
        if link.resolve() != (ROOT / each).resolve():  # none yet, or from a copy of another tree
            link.unlink(missing_ok=True)
            link.symlink_to(ROOT / each)
    forget_copies(folder / "mutants", group)
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    settings = {
        "source_paths": ["engines"],
        "only_mutate": list(group.modules),
        "also_copy": [each for each in LINKED if each not in ("engines", "tests")],
        "pytest_add_cli_args": ["-m", "not long and not chaos", "-p", "no:dash"],
        "pytest_add_cli_args_test_selection": list(group.tests),
        "process_isolation": "forkserver",
        "timeout_constant": 5.0,  # times 15: a busy machine is no endless loop
    }
    said = [
        "[tool.mutmut]",
        *(f"{key} = {_toml(value)}" for key, value in settings.items()),
        "[tool.pytest.ini_options]",
    ]
    wanted = ("pythonpath", "markers", "DJANGO_SETTINGS_MODULE", "timeout", "timeout_func_only")
    said += [f"{key} = {_toml(own[key])}" for key in wanted]
    (folder / "pyproject.toml").write_text("\n".join(said) + "\n")
    return folder


def forget_copies(copies: Path, group: Group) -> None:
    """Take away what mutmut copied the last time but the mutants themselves: it copies no file again that is there."""
    kept = {str(path.relative_to(ROOT)) for pattern in group.modules for path in ROOT.glob(pattern)}
    for path in [*copies.rglob("*")] if copies.is_dir() else []:
        name = str(path.relative_to(copies))
        if path.is_file() and name.removesuffix(".meta").removesuffix(".spans") not in kept:
            path.unlink()


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return repr(value)


def _environment(folder: Path) -> dict[str, str]:
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**os.environ, **threads, "PARETOSCOPE_VAR": str(folder / "site")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
