"""Reports: pages of text with what runs found, versioned, which know what they rest on."""
