"""Published results beside ours, as last computed."""
