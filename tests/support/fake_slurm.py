"""Slurm as far as workers need it: sbatch, squeue and scancel in a folder for the PATH; jobs are processes here."""

from __future__ import annotations

import sys
from pathlib import Path

_COMMANDS = '''#!{python}
"""{name}, as far as tests need it."""
import json, os, signal, subprocess, sys
from pathlib import Path

state = Path({folder!r})
options = dict(each.removeprefix("--").partition("=")[::2] for each in sys.argv[1:])
jobs = [(each, *each.read_text().split()) for each in sorted(state.glob("job-*"))]


def alive(pid):
    try:
        return ") Z" not in Path(f"/proc/{{pid}}/stat").read_text()
    except OSError:
        return False


if {name!r} == "sbatch":
    number = 4711 + len(list(state.glob("script-*")))
    script = state / f"script-{{number}}"
    script.write_text(sys.stdin.read())
    (state / f"options-{{number}}.json").write_text(json.dumps(options))
    if options.get("partition") == "missing":
        sys.exit("sbatch: error: invalid partition specified: missing")
    for task in range(1, int(options["array"].partition("-")[2]) + 1):
        log = options["output"].replace("%A", str(number)).replace("%a", str(task))
        environment = dict(os.environ, SLURM_ARRAY_JOB_ID=str(number), SLURM_ARRAY_TASK_ID=str(task))
        with open(log, "wb") as stream:
            job = subprocess.Popen(["sh", str(script)], env=environment, stdin=subprocess.DEVNULL, stdout=stream,
                                   stderr=stream, start_new_session=True)
        (state / f"job-{{number}}_{{task}}").write_text(f"{{job.pid}} {{options['job-name']}}")
    print(f"{{number}};cluster")
elif {name!r} == "squeue":
    for file, pid, job in jobs:
        if job == options["name"] and alive(pid):
            print("RUNNING")
else:
    for file, pid, job in jobs:
        if job == options["name"] and alive(pid):
            os.kill(int(pid), signal.SIGTERM)
'''


def install_fake_slurm(folder: Path) -> Path:
    """Return a folder with the three commands; they keep what they were told in `folder`."""
    commands = folder / "bin"
    commands.mkdir(parents=True)
    for name in ("sbatch", "squeue", "scancel"):
        file = commands / name
        file.write_text(_COMMANDS.format(python=sys.executable, name=name, folder=str(folder)))
        file.chmod(0o755)
    return commands
