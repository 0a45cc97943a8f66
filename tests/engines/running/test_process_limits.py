import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(code: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: a limit cannot be taken back."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=100, check=False
    )


def test_too_much_memory_is_a_memory_error() -> None:
    done = run("from engines.running.process_limits import limit_memory; limit_memory(300); x = bytearray(400 << 20)")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("MemoryError")


def test_less_memory_is_fine() -> None:
    assert (
        run(
            "from engines.running.process_limits import limit_memory; limit_memory(600); x = bytearray(200 << 20)"
        ).returncode
        == 0
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's own end with the parent is Linux's")
def test_a_process_whose_parent_is_gone_already_ends() -> None:
    assert run("from engines.running.process_limits import end_with_parent; end_with_parent(1)").returncode == 1
    assert (
        run(
            "import os; from engines.running.process_limits import end_with_parent; end_with_parent(os.getppid())"
        ).returncode
        == 0
    )


def test_no_core_files_and_first_to_go() -> None:
    code = (
        "import resource; from engines.running.process_limits import first_to_go, no_core_dumps; no_core_dumps(); first_to_go();"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    )
    assert run(code).stdout.strip() == "0"


@pytest.mark.parametrize(("more", "at_least"), [(0, 10), (19, 19)])
def test_a_search_gives_way_and_never_takes_it_back(more: int, at_least: int) -> None:
    """However nice who starts it is: tests may have to give way themselves."""
    code = f"import os; from engines.running.process_limits import give_way; os.nice({more}); give_way(); print(os.nice(0))"
    assert int(run(code).stdout) == max(os.nice(0), at_least)


AUTOGROUP = Path("/proc/self/autogroup")


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel weighs no sessions against each other")
def test_a_search_gives_way_to_other_sessions_and_takes_nobody_with_it() -> None:
    said = "from engines.running.process_limits import give_way; give_way(); print(open('/proc/self/autogroup').read())"
    before = AUTOGROUP.read_text()
    assert run(f"import os; os.setsid(); {said}").stdout.split()[1:] == ["nice", "3"]
    assert run(said).stdout.strip() == before.strip() == AUTOGROUP.read_text().strip()


def test_endless_computing_is_ended() -> None:
    code = "from engines.running.process_limits import limit_cpu; limit_cpu(1)\nwhile True: pass"
    assert run(code).returncode == -signal.SIGXCPU


def test_no_file_is_written(tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    code = f"import pathlib, engines.running.process_limits as p; p.write_no_files(); pathlib.Path({path!r}).write_text('x')"
    assert run(code).stderr.rstrip().endswith("File too large")
