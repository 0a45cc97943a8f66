"""A calibration out of measurements."""
