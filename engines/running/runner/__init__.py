"""One run = one child process: the child (`python -m engines.running.runner`), its protocol, and its client."""
