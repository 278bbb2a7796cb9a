"""Which program a deck is for: the first card of MAIN has many numbers, that of CLOSURE two."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from mubo.errors import ModelError
from mubo.formats.decks.cards import Broken, Deck
from mubo.formats.decks.closure import read_closure
from mubo.formats.decks.main import read_main
from mubo.model.linkage import Linkage

_Kind = TypeVar("_Kind", bound=Linkage)


def read_deck(text: str, into: type[_Kind], path: Path) -> _Kind:
    """A deck as a linkage; raises ModelError with every problem and its line."""
    deck = Deck(text, path)
    if not deck.cards:
        raise ModelError(f"{path}: the deck has no cards")
    held: dict[str, Any] = {}
    try:
        held = (read_closure if len(deck.cards[0].words()) <= 2 else read_main)(deck)
        deck.finish()
    except Broken:
        pass  # its problem is among the others
    deck.require_none()
    return into(name=path.stem, source=str(path), **held)
