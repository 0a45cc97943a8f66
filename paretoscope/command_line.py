"""The command `paretoscope`: `up`, and the commands of the site."""

from __future__ import annotations

import os
import sys

# What people type, by what it is for; `paretoscope help` of the site lists every command.
COMMANDS = {
    "Start": ("up", "doctor", "add", "demo", "createsuperuser"),
    "Explore": ("explore", "survey", "study", "reproduce", "documents"),
    "Inputs": ("import-workload", "import-hardware", "import-data", "calibrate-soc", "measure-here"),
    "Runs and sites as files": ("export-run", "import-run", "backup", "restore", "export-site", "import-site"),
    "Maintenance": ("migrate", "retention", "purge", "reindex", "check"),
}


def main() -> int:
    """Run the command that the command line names. Returns the exit status; commands that fail may raise SystemExit."""
    name, *rest = sys.argv[1:] or ["help"]
    if name == "up":
        from paretoscope.up import main as up

        return up(rest)
    if name == "--version":
        from webapp import VERSION

        print(f"Paretoscope {VERSION}")
        return 0
    if name in ("help", "-h", "--help") and not rest:
        print(overview())
        return 0
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
    from webapp.site.command_line import run

    return run(["paretoscope", *sys.argv[1:]])


def overview() -> str:
    """Return the commands by purpose."""
    width = max(map(len, COMMANDS)) + 2
    lines = [f"{purpose:{width}}{', '.join(names)}" for purpose, names in COMMANDS.items()]
    return "\n".join(("Usage: paretoscope COMMAND ...; `paretoscope COMMAND --help` describes one.", "", *lines))
