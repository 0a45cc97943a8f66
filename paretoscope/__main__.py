"""`python -m paretoscope`: the command `paretoscope`."""

import sys

from paretoscope.command_line import main

if __name__ == "__main__":
    sys.exit(main())
