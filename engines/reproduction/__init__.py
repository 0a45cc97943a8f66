"""Published results computed again: the frame of every method's reproduction."""
