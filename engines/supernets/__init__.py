"""Supernets of vision graph blocks: their architectures, networks that share weights, and the accuracy of subnets."""
