"""One run = one child process: the child (`python -m engines.runner`), its protocol, and the client that keeps it."""
