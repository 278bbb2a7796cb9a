"""A deck as a model: which program it is for, its cards, and the mechanism that they describe.

The first card of MAIN has many numbers, that of CLOSURE two.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, MuboError
from mubo.formats.toml import native_model
from mubo.legacy.okins1964.cards import Broken, Deck
from mubo.legacy.okins1964.closing import closing_note, closing_rotations, rotate_links
from mubo.legacy.okins1964.closure_deck import read_closure
from mubo.legacy.okins1964.completion import CompletedLinkage, complete
from mubo.legacy.okins1964.linkage import VectorLinkage
from mubo.legacy.okins1964.main_deck import read_main
from mubo.legacy.okins1964.native import UNITS, native_tables
from mubo.model import Builder, ModelDefinition, Origin

NO_DRIVER = "a CLOSURE deck has no driver, so that nothing moves: `mubo check` shows its closure"


def read_deck(text: str, path: Path) -> ModelDefinition:
    """The model of a deck; raises ModelError with every problem of its cards and the lines they stand in."""
    deck = Deck(text, path)
    if not deck.cards:
        raise ModelError(f"{path}: the deck has no cards")
    fields: dict[str, Any] = {}
    try:
        fields = (read_closure if len(deck.cards[0].entries()) <= 2 else read_main)(deck)
        deck.finish()
    except Broken:
        pass  # its problem is among the others
    deck.require_none()
    return model_of(VectorLinkage(**fields), path)


def model_of(linkage: VectorLinkage, path: Path) -> ModelDefinition:
    """The mechanism of a linkage. Where its loops are wrong, the model has no bodies but the problems."""
    whole = complete(linkage)
    problems = (*whole.problems, *(() if linkage.drive else (NO_DRIVER,)))
    origin = Origin("deck", whole, (*linkage.notes, *whole.notes), problems)
    if whole.problems:
        return replace(Builder(path.stem, UNITS).build(), source=str(path), origin=origin)
    at, notes = _closed_position(whole.linkage)
    origin = replace(origin, notes=(*origin.notes, *notes))
    tables = native_tables(whole.linkage, at, path.stem)
    return replace(native_model(tables, path), origin=origin) if problems else native_model(tables, path, origin=origin)


def _closed_position(linkage: VectorLinkage) -> tuple[VectorLinkage, tuple[str, ...]]:
    """The linkage with its links turned so that all loops close, or as on the cards where that cannot be done."""
    if linkage.drive is None:
        return linkage, ()
    try:
        turned = closing_rotations(linkage)
    except MuboError:  # an analysis of the model reports it
        return linkage, ()
    return rotate_links(linkage, turned), closing_note(linkage, turned)


def deck_of(model: ModelDefinition) -> CompletedLinkage:
    """The linkage of a model's deck, with the present values of its parameters."""
    assert model.origin is not None
    whole: CompletedLinkage = model.origin.data
    if not model.parameters:
        return whole
    numbers = {name: float(entry.value) for name, entry in model.parameters.items()}
    cards = whole.linkage
    drive = None if cards.drive is None else replace(cards.drive, rate=numbers["rate"])
    lengths = tuple(numbers[f"r{k}"] for k in cards.vectors)
    angles = tuple(numbers.get(f"theta{k}", angle) for k, angle in enumerate(cards.angles, 1))
    return replace(whole, linkage=replace(cards, lengths=lengths, angles=angles, drive=drive))
