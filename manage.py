#!/usr/bin/env python
"""Django's command line for Paretoscope: `manage.py help` lists the commands."""

import os
import sys


def main() -> int:
    """Run the command named on the command line with this site's settings; returns the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
    try:
        from webapp.site.command_line import run
    except ModuleNotFoundError as error:
        if error.name not in ("celery", "django"):
            raise
        sys.exit(
            f"{sys.executable} lacks Paretoscope's packages. Run `make up` once to install them, then use "
            f".venv/bin/python manage.py {' '.join(sys.argv[1:])}"
        )
    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
