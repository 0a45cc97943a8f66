"""The command `paretoscope`: `up`, and the commands of the site."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from paretoscope.extras import use_extras

# What people type, by what it is for; `paretoscope help` of the site lists every command.
COMMANDS = {
    "Start": ("up", "worker", "doctor", "add", "gallery", "createsuperuser", "completion"),
    "Explore": ("explore", "survey", "study", "reproduce", "documents"),
    "Inputs": ("import-workload", "import-hardware", "import-data", "calibrate-soc", "measure-here"),
    "Runs and sites as files": ("export-run", "import-run", "backup", "restore", "export-site", "import-site"),
    "Maintenance": ("migrate", "retention", "purge", "reindex", "check"),
}


_OWN = {"up": "paretoscope.up", "add": "paretoscope.extras"}
# bash, and zsh after `autoload -U bashcompinit && bashcompinit`: the command itself lists what fits.
_COMPLETION = """_paretoscope() {
  COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD DJANGO_AUTO_COMPLETE=1 paretoscope))
}
complete -o default -F _paretoscope paretoscope"""


def main() -> int:
    """Run the command of the command line and return its exit status; a failing command may raise SystemExit."""
    name, *rest = sys.argv[1:] or ["help"]
    if "DJANGO_AUTO_COMPLETE" in os.environ:
        return complete(os.environ["COMP_WORDS"].split(), int(os.environ["COMP_CWORD"]))
    if name in _OWN:
        return int(import_module(_OWN[name]).main(rest))
    if not rest and (text := _text(name)):
        print(text)
        return 0
    return _site_command(sys.argv[1:])


def _text(name: str) -> str:
    """Return the text of a command that only prints; "" for other commands."""
    if name in ("help", "-h", "--help"):
        width = max(map(len, COMMANDS)) + 2
        lines = [f"{purpose:{width}}{', '.join(names)}" for purpose, names in COMMANDS.items()]
        return "\n".join(("Usage: paretoscope COMMAND ... (`paretoscope COMMAND --help` describes one)", "", *lines))
    if name == "--version":
        from webapp import VERSION

        return f"Paretoscope {VERSION}"
    return _COMPLETION if name == "completion" else ""


def _site_command(words: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
    use_extras()
    from webapp.site.command_line import run

    return run(["paretoscope", *words])


def complete(words: list[str], position: int) -> int:
    """Print the shell completions at that position: commands from this module, options from Django."""
    if position > 1:
        os.environ["COMP_WORDS"] = " ".join((words[0], words[1].replace("-", "_"), *words[2:]))
        return _site_command([])
    begun = words[1] if len(words) > 1 else ""
    print(" ".join(name for names in COMMANDS.values() for name in names if name.startswith(begun)))
    return 0
