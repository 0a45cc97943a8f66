"""A pull worker that knows the toy engines (`python -m tests.support.pull_worker worker --pull URL`), as a process of tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 100.0
NO_DATABASE = "postgresql://nobody:x@127.0.0.1:1/none"


def pull_environment(folder: Path, token: str) -> dict[str, str]:
    """What a worker on another machine has: no database, no queue, a folder of its own."""
    passed = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **passed, "DATABASE_URL": NO_DATABASE, "BROKER_URL": "redis://127.0.0.1:1/0", "PARETOSCOPE_VAR": str(folder),
        "PARETOSCOPE_WORKER_OFFERS": "none", "DJANGO_SETTINGS_MODULE": "webapp.site.settings", "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1", "PARETOSCOPE_WORKER_TOKEN": token,
    }  # fmt: skip


class PullWorker:
    """One real pull worker; its output is in `log`."""

    def __init__(self, url: str, token: str, folder: Path, *options: str, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "worker.log"
        with self.log.open("wb") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.pull_worker", "worker", "--pull", url, *options],
                cwd=ROOT, env={**pull_environment(folder, token), **environment}, stdin=subprocess.DEVNULL,
                stdout=stream, stderr=stream, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """SIGKILL, to the worker alone."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def terminate(self) -> int:
        """SIGTERM; the exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


if __name__ == "__main__":
    from tests.support.toy_engine import register_toys

    register_toys()
    from webapp.site.command_line import run

    sys.exit(run(sys.argv))
