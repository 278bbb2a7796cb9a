"""The programs of 1964 (O'Kins): card decks, their closure table, and the thesis' own scheme."""
