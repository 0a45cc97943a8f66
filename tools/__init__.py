"""Set-up and start of the product from a checkout: standard library only, so that nothing needs to be installed first."""
