"""Results, plans and documents as text, and back."""
