"""The programs of O'Kins (1964): card decks as a file format, program CLOSURE, the scheme of MAIN and its listings."""
