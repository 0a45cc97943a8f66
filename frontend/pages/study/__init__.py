"""Studies: their list and the page of one."""
