import os
import sys

from engines.running.runner.process_starter import spawn


def test_a_child_leads_a_process_group_of_its_own() -> None:
    with spawn((sys.executable, "-c", "import os; print(os.getpgid(0), os.getpid(), os.getcwd())"), {}) as process:
        out, _ = process.communicate()
    group, pid, folder = out.decode().split()
    assert group == pid == str(process.pid)
    assert int(group) != os.getpgid(0)
    assert folder == "/"


def test_a_forked_process_can_start_children() -> None:
    """Web servers fork after the first child was started; the thread that starts children does not survive that."""
    spawn((sys.executable, "-c", ""), {}).communicate()
    pid = os.fork()
    if pid == 0:
        with spawn((sys.executable, "-c", "raise SystemExit(3)"), {}) as process:
            os._exit(process.wait(60))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
