"""Repeat the test suite and list the tests that did not always pass.

Usage: flaky.py [--runs RUNS] [--seed SEED] PYTEST_ARGUMENTS. Each run has its own random order of files, printed as its seed.
Every second run shares the machine with two busy processes. Logs and results stay in `test-results/flaky`. The exit status is 1 if
a test failed in any run, or passed in some runs only.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "test-results" / "flaky"
BUSY_PROCESSES = 2
# Ends by itself when its parent has ended, however that came about.
BUSY_CODE = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(10**6))"


@dataclass(frozen=True)
class Outcome:
    """The outcome of one test in one run.

    Attributes:
        verdict: "passed", "skipped" or "failed".
        traceback: what pytest printed of a failure, else "".
    """

    verdict: str
    traceback: str = ""


Run = Mapping[str, Outcome]


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep `count` processes computing for the time of the block."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY_CODE]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def read_outcomes(path: Path) -> Run:
    """Return the outcome of each test in a JUnit XML file; a test with several entries has failed if one of them did."""
    outcomes: dict[str, Outcome] = {}
    for case in ET.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        failures = [child for child in case if child.tag in ("failure", "error")]
        if failures:
            texts = [outcomes[name].traceback] if name in outcomes else []
            texts += [f"{child.get('message', '')}\n{child.text or ''}" for child in failures]
            outcomes[name] = Outcome("failed", "\n".join(text for text in texts if text))
        elif name not in outcomes:
            outcomes[name] = Outcome("skipped" if case.find("skipped") is not None else "passed")
    return outcomes


def run_suite(pytest_arguments: Sequence[str], number: int, folder: Path) -> Run:
    """Run the suite once and return its outcomes; a run without results counts as one failed test of its own."""
    log, results = folder / f"run-{number}.log", folder / f"run-{number}.xml"
    results.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", *pytest_arguments, f"--junitxml={results}"]
    with log.open("w") as file:
        status = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT, check=False).returncode
    if status in (0, 1) and results.exists():
        return read_outcomes(results)
    tail = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
    return {f"run {number} ended with status {status}": Outcome("failed", tail)}


def unstable_tests(runs: Sequence[Run]) -> dict[str, list[int]]:
    """Return the tests that failed, or that not every run passed (or skipped) alike, with the numbers of these runs from 1 on."""
    found = {}
    for name in sorted({name for run in runs for name in run}):
        verdicts = [run[name].verdict if name in run else "missing" for run in runs]
        if "failed" in verdicts or len(set(verdicts)) > 1:
            usual = "passed" if "passed" in verdicts else "skipped"
            found[name] = [at for at, verdict in enumerate(verdicts, start=1) if verdict != usual]
    return found


def print_report(runs: Sequence[Run]) -> int:
    """Print each unstable test with the tracebacks of its failures. Returns the exit status."""
    unstable = unstable_tests(runs)
    for name, numbers in unstable.items():
        print(f"\n{name}: not passed in run {', '.join(map(str, numbers))} of {len(runs)}")
        for number in numbers:
            outcome = runs[number - 1].get(name, Outcome("missing"))
            print(f"--- run {number}: {outcome.verdict}\n{outcome.traceback}".rstrip())
    print(f"\n{len(unstable)} tests did not pass in every run." if unstable else "\nEvery test passed in every run.")
    return 1 if unstable else 0


def main(arguments: Sequence[str]) -> int:
    """Repeat the suite as the command line says. Returns the exit status."""
    parser = argparse.ArgumentParser(
        description="Repeat the test suite and list the tests that did not always pass.", allow_abbrev=False
    )
    parser.add_argument("--runs", type=int, default=10, help="number of runs (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first run; each next run adds 1 (default 1)")
    options, pytest_arguments = parser.parse_known_args(arguments)
    if options.runs < 1:
        parser.error(f"--runs: must be a whole number from 1 on. Got {options.runs} instead.")
    RESULTS.mkdir(parents=True, exist_ok=True)
    runs = []
    for number in range(1, options.runs + 1):
        seed, busy = options.seed + number - 1, 0 if number % 2 else BUSY_PROCESSES
        start = time.monotonic()
        with busy_processes(busy):
            run = run_suite([*pytest_arguments, f"--file-order={seed}"], number, RESULTS)
        counts = Counter(outcome.verdict for outcome in run.values())
        print(
            f"run {number} of {options.runs}, seed {seed}, {busy} busy processes: {counts['passed']} passed, "
            f"{counts['skipped']} skipped, {counts['failed']} failed in {time.monotonic() - start:.0f} s",
            flush=True,
        )
        runs.append(run)
    return print_report(runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
