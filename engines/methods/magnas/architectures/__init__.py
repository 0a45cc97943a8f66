"""Architectures: spaces, their networks, published accuracies, what can be shown of one."""
