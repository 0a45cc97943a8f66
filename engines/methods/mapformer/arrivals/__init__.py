"""Networks that come and go while the board runs, and the manager that maps anew."""
