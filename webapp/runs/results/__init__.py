"""Designs and results of runs as pages, REST and commands read them."""
