"""What silicon costs to make: documents of wafers, masks, defects, design and assembly, with those that ship with the product."""
