"""Results as sentences and aligned lines, for terminal, page and notebook."""
