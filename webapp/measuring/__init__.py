"""Devices with an agent, what is to be measured on them, and what was."""
