"""Files of one's own."""
