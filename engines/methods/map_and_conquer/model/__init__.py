"""The stated model: the cut network, its equations, its costs and its accuracy."""
