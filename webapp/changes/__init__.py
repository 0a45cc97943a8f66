"""The change log: what people and their programs did, by which means, with the values before and after."""
