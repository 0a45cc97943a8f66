"""`python -m paretoscope_agent` is `paretoscope-agent`."""

import sys

from paretoscope_agent.command_line import main

sys.exit(main())
