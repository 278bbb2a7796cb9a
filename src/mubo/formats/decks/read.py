"""Which program a deck is for: the first card of MAIN has many numbers, that of CLOSURE two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mubo.errors import ModelError
from mubo.formats.decks.cards import Broken, Deck
from mubo.formats.decks.closure import read_closure
from mubo.formats.decks.main import read_main
from mubo.laws import Polynomial
from mubo.model import GROUND, Analysis, Driver, ModelDefinition, Units
from mubo.model.definition import ground_of
from mubo.model.linkage import Linkage, vector_name

# A deck has degrees and seconds; of its lengths it does not say the unit.
UNITS = Units(angle="deg", time="s", unstated="length")


def read_deck(text: str, path: Path) -> ModelDefinition:
    """The model of a deck: its linkage, driver and times; raises ModelError with every problem and its line."""
    deck = Deck(text, path)
    if not deck.cards:
        raise ModelError(f"{path}: the deck has no cards")
    fields: dict[str, Any] = {}
    try:
        fields = (read_closure if len(deck.cards[0].words()) <= 2 else read_main)(deck)
        deck.finish()
    except Broken:
        pass  # its problem is among the others
    deck.require_none()
    return _model(Linkage(**fields), path)


def _model(linkage: Linkage, path: Path) -> ModelDefinition:
    drivers, analysis = {}, None
    if linkage.drive is not None and linkage.positions is not None:
        start = (linkage.lengths if linkage.drive.kind == "ram" else linkage.angles)[0]
        law = Polynomial((start, linkage.drive.rate))
        drivers[linkage.drive.kind] = Driver(linkage.drive.kind, vector_name(1), law)
        analysis = Analysis("kinematics", 0.0, linkage.positions.end, linkage.positions.step)
    return ModelDefinition(
        name=path.stem,
        units=UNITS,
        bodies={GROUND: ground_of(2)},
        drivers=drivers,
        analysis=analysis,
        linkage=linkage,
        source=str(path),
    )
