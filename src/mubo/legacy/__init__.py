"""Programs and methods of the literature in their own form: O'Kins (1964) and Wittenburg (1977)."""
