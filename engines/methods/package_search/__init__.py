"""Package search: the chiplet package as a variable, with the best schedule of each package inside."""
