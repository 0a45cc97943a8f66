"""Figures of devices, and of networks on devices."""
