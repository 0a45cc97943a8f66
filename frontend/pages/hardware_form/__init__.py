"""The form for hardware of one's own."""
