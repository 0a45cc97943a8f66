"""Basis of all applications of the site: who acts, database connections, threads of workers, log lines, terminal tables."""
