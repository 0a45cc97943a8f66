"""Published results beside ours: the frame that every method's reproduction stands in."""
