#!/usr/bin/env python
"""Django's command line for Paretoscope: `manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    """Run the command named on the command line with this site's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
    from django.core.management import execute_from_command_line

    from webapp.changes.acting import command_line

    # Commands of several words are typed with hyphens, as elsewhere; the modules that hold them cannot be named so.
    name = [word if word.startswith("-") else word.replace("-", "_") for word in sys.argv[1:2]]
    with command_line():
        execute_from_command_line([sys.argv[0], *name, *sys.argv[2:]])


if __name__ == "__main__":
    main()
