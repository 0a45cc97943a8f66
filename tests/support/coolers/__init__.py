"""A family of hardware as another package would add it: one folder, and a line where it is registered."""
