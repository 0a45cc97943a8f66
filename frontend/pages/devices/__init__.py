"""Devices with an agent, and what they measured."""
