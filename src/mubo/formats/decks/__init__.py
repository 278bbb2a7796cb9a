"""Card decks of O'Kins' programs (1964): MAIN with KINE, and CLOSURE."""

from mubo.formats.decks.read import read_deck

__all__ = ["read_deck"]
