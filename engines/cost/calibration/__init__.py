"""Calibrations of devices: reading, fitting, matching, checking, and estimates with them."""
