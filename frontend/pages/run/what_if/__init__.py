"""What if: figures of the hardware are moved, and designs are evaluated again."""
