"""Where to cut a network between a device and a server."""
