"""Map-and-Conquer: one network cut by width into stages that run on the units of a system on a chip at the same time."""
