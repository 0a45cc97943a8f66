"""Files of measurements of whole networks, as tools of runtimes and boards write them."""
