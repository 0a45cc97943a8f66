"""The browser for tests: the one of the system if there is one, else Debian's package, else Playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import debian  # noqa: E402

OWN_BROWSERS = ROOT / ".venv" / "browsers"
SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/usr/bin/chromium")
MESSAGE = """No browser for the browser tests: {reason}
Install Chromium (on Debian: apt-get install chromium) or set PARETOSCOPE_BROWSER to the path of one."""


def find_browser() -> Path | None:
    """Return the Chromium to drive, or None. `PARETOSCOPE_BROWSER` names one; it must start."""
    named = os.environ.get("PARETOSCOPE_BROWSER")
    candidates = [named] if named else [shutil.which(name) for name in SYSTEM_NAMES]
    candidates += [str(path) for path in sorted(OWN_BROWSERS.glob("chromium-*/chrome-linux*/chrome"), reverse=True)]
    return next((Path(path) for path in candidates if path and starts(path)), None)


def starts(path: str) -> bool:
    """Return whether the program tells its version: Ubuntu's `chromium-browser` without snap, say, does not."""
    try:
        result = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return result.returncode == 0


def install_debian() -> str:
    """Install Debian's package. Returns "" or why that was not possible."""
    return debian.install("chromium", "the browser tests")


def install_own() -> str:
    """Install Playwright's Chromium into the environment. Returns "" or why that failed."""
    print("Installing Playwright's chromium for the browser tests (once)", flush=True)
    result = subprocess.run(
        [str(ROOT / ".venv" / "bin" / "python"), "-m", "playwright", "install", "chromium"],
        capture_output=True,
        text=True,
        env={**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(OWN_BROWSERS)},
        check=False,
    )
    return f"playwright install failed: {(result.stderr or result.stdout).strip()[-300:]}" if result.returncode else ""


def main() -> int:
    """Return 0 with a browser at hand; without one 1 where `CI=true`, else 0 and the tests are skipped with the reason."""
    if find_browser():
        return 0
    reasons = []
    for install in (install_debian, install_own):
        reason = install()
        if not reason and find_browser():
            return 0
        reasons.append(reason or "installed, but it does not start")
    print(MESSAGE.format(reason="; ".join(reasons)), file=sys.stderr)
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
