"""The gallery."""
