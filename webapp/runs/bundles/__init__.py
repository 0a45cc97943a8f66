"""Bundles of runs, written for another installation and read from one."""
