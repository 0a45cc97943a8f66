"""The virtual environment in `.venv`: made once, brought up to date when a lock file changes, mended after an interruption.

Runs under a bare Python. A stamp named after the hash of the lock file says that an installation is complete; a mark that
an installation was begun and not ended makes the next one start from an empty environment, since pip cannot tell whole
packages from half-written ones.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from paretoscope.extras import REQUIREMENTS  # noqa: E402

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))  # not that of an activated .venv, which may go
STAMPS = VENV / "stamps"
BEGUN = VENV / "installation-begun"
TORCH_REQUIREMENT = REQUIREMENTS["torch"]
LOG_LINES = 30

Runner = Callable[[list[str]], "subprocess.CompletedProcess[str]"]


class SetupError(Exception):
    """The environment could not be made; the message says why and what to do."""


def run_quietly(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `command` to its end and keep what it printed."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, check=False)


def digest(path: Path) -> str:
    """Return first 16 hex digits of the SHA-256 of a file: the name of the stamp of a lock file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def stamp(name: str) -> Path:
    """Return the path of the file that marks a complete installation."""
    key = TORCH_REQUIREMENT.replace("==", "-") if name == "torch" else f"{name}-{digest(lock_file(name))}"
    return STAMPS / key


def lock_file(name: str) -> Path:
    """Return the pinned packages of "base" (to run the product) or "dev" (base, and what tests and checks need)."""
    return ROOT / "requirements" / f"{name}.lock"


def is_complete(name: str) -> bool:
    """Return whether the packages of "base", "dev" or "torch" are installed as the lock file says."""
    return stamp(name).exists() and not BEGUN.exists() and PYTHON.exists()


def ensure(name: str, run: Runner = run_quietly, pause: Callable[[float], None] = time.sleep) -> float:
    """Install "base", "dev" or "torch" unless that is done already.

    Args:
        name: package to install.
        run: how to run a command; `make up` passes one that Ctrl-C ends.
        pause: how to wait, in seconds; likewise.

    Returns:
        Seconds spent.

    Raises:
        SetupError: the installation failed.
    """
    begin = time.monotonic()
    with exclusive(pause):
        if not is_complete(name):
            make_venv(run)
            if name == "torch":
                say(f"Installing {TORCH_REQUIREMENT} for the engines that learn (large; takes a few minutes, once)")
                install([TORCH_REQUIREMENT, "--constraint", str(lock_file("base"))], run)
            else:
                lock = lock_file(name)
                say(f"Installing {len(lock.read_text().splitlines())} packages of {lock.relative_to(ROOT)} (once)")
                install(["--no-deps", "--requirement", str(lock)], run)
            complete(name)
        write_command()
    return time.monotonic() - begin


def write_command() -> None:
    """Make `.venv/bin/paretoscope`, the command that a wheel installs, for this checkout."""
    script = PYTHON.with_name("paretoscope")
    if not script.exists():
        lines = [f"#!{PYTHON}", "import sys", f"sys.path.insert(0, {str(ROOT)!r})"]
        lines += ["from paretoscope.command_line import main", "sys.exit(main())", ""]
        script.write_text("\n".join(lines))
        script.chmod(0o755)


def complete(name: str) -> None:
    """Note that `name` is installed; "dev" holds everything that "base" does (a test compares the two lock files)."""
    STAMPS.mkdir(exist_ok=True)
    for part in ("base", "dev") if name == "dev" else (name,):
        for old in STAMPS.glob(f"{part}-*"):
            old.unlink()
        stamp(part).touch()
    BEGUN.unlink()


@contextlib.contextmanager
def exclusive(pause: Callable[[float], None]) -> Iterator[None]:
    """One installation at a time: a lock on the checkout's own folder, gone with its holder."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        if not _locked(handle):
            say("Another command is setting up the environment; waiting for it")
            while not _locked(handle):
                pause(0.5)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    """Return whether the lock could be taken now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def make_venv(run: Runner) -> None:
    """An environment to install into: the present one if it is whole, else a new one."""
    if VENV.exists() and (BEGUN.exists() or not works(run)):
        say("The environment in .venv is unfinished or broken: a new one is made")
        shutil.rmtree(VENV)
    if not VENV.exists():
        result = run([BASE_PYTHON, "-m", "venv", str(VENV)])
        if result.returncode:
            shutil.rmtree(VENV, ignore_errors=True)
            hint = "On Debian and Ubuntu the package python{}.{}-venv is needed.".format(*sys.version_info[:2])
            raise SetupError(f"Making the virtual environment failed. {hint}\n{tail(result.stdout)}")


def works(run: Runner) -> bool:
    """Return whether the environment's interpreter starts, is one that Paretoscope runs on and has pip."""
    probe = "import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    return PYTHON.exists() and run([str(PYTHON), "-c", probe]).returncode == 0


def install(arguments: list[str], run: Runner) -> None:
    """Run `pip install`, leaving the mark of a begun installation until the caller calls it complete."""
    BEGUN.touch()
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    result = run([*pip, *arguments])
    if result.returncode:
        BEGUN.unlink(missing_ok=True)  # pip itself ended: what it installed is whole, the next try goes on from there
        raise SetupError(
            f"pip could not install {' '.join(arguments)}:\n{tail(result.stdout)}\n"
            "If this machine has no way to the package index, set pip's own settings (PIP_INDEX_URL, PIP_FIND_LINKS, "
            "PIP_CERT, HTTPS_PROXY) and run the command again."
        )


def tail(text: str | None) -> str:
    """Return the last lines of a command's output."""
    return "\n".join((text or "").splitlines()[-LOG_LINES:])


def say(message: str) -> None:
    """One line for the person at the terminal."""
    print(message, flush=True)


def main() -> int:
    """Return `environment.py base|dev|torch`: 0 when the environment is as asked for."""
    parser = argparse.ArgumentParser(description="Set up .venv")
    parser.add_argument("name", choices=("base", "dev", "torch"))
    name = parser.parse_args().name
    try:
        seconds = ensure(name)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the next call starts again.", file=sys.stderr)
        return 130
    if seconds > 1:
        say(f"Environment ready in {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
