"""What all applications of the site stand on: who acts, database connections, threads of workers, log lines, terminal tables."""
