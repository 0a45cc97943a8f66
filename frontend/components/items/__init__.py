"""Building blocks of the page of an item: its links, marks, notes and rights."""
