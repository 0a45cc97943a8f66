"""Cost models of layers behind one protocol, so that every search can run under any of them."""
