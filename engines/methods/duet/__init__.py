"""Recommenders split between the user's device and the datacentre (goyal-2023 chapter 5, Duet)."""
