"""Search of networks whose transmitted tensor is protected by the Laplace mechanism (odema-2024 appendix A)."""
