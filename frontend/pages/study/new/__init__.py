"""The form of a new study."""
