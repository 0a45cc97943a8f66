"""The front of a run: picture, controls, limits, short list."""
