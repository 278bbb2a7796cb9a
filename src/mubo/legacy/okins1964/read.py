"""A deck as a model: which program it is for, its cards, and the mechanism that they describe.

The first card of MAIN has many numbers, that of CLOSURE two.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, MuboError
from mubo.formats.toml import native_model
from mubo.legacy.okins1964.cards import WHOLE, Broken, Card, Deck
from mubo.legacy.okins1964.closing import closing_note, closing_rotations, rotate_links
from mubo.legacy.okins1964.closure_deck import read_closure
from mubo.legacy.okins1964.completion import CompletedLinkage, complete
from mubo.legacy.okins1964.linkage import VectorLinkage
from mubo.legacy.okins1964.main_deck import read_main
from mubo.legacy.okins1964.native import UNITS, native_tables
from mubo.model import Builder, ModelDefinition, Origin

NO_DRIVER = "a CLOSURE deck has no driver, so that nothing moves: `mubo check` shows its closure"


def read_deck(text: str, path: Path) -> ModelDefinition:
    """The model of a deck; raises ModelError with every problem of its cards and the lines they stand in.

    Of several data sets it is the first, with a note that names the others.
    """
    decks = data_sets(text, path)
    model = read_data_set(text, path, 1)
    if len(decks) == 1 or model.origin is None:
        return model
    note = (
        f"the file holds {len(decks)} data sets; this is the first, the second is {path}#2, and `mubo run {path}` "
        "runs them one after another"
    )
    return replace(model, origin=replace(model.origin, notes=(*model.origin.notes, note)))


def read_data_set(text: str, path: Path, number: int) -> ModelDefinition:
    """The model of one data set of a deck, counted from 1."""
    decks = data_sets(text, path)
    if not 1 <= number <= len(decks):
        count = f"{len(decks)} data set{'s' * (len(decks) > 1)}"
        raise ModelError(f"{path}: there is no data set {number}; the file holds {count}")
    deck = decks[number - 1]
    deck.require_none()
    name = path if len(decks) == 1 else path.with_name(f"{path.stem}_{number}{path.suffix}")
    return model_of(VectorLinkage(**_fields(deck)), name)


def data_sets(text: str, path: Path) -> list[Deck]:
    """The cards of each data set: MAIN and CLOSURE read the next one where they have finished one."""
    left = Deck(text, path).cards
    if not left:
        raise ModelError(f"{path}: the deck has no cards")
    decks: list[Deck] = []
    while left:
        deck = Deck("", path, left)
        fields = _fields(deck)
        last = (
            deck.next >= len(left) or not fields or not _is_first(left[deck.next], closure=fields.get("drive") is None)
        )
        decks.append(Deck("", path, left if last else left[: deck.next]))
        left = [] if last else left[deck.next :]
    for deck in decks:
        if _fields(deck):
            deck.finish()
    return decks


def _is_first(card: Card, closure: bool) -> bool:
    """Whether a data set can begin with a card: two numbers of CLOSURE, or five whole numbers and reals of MAIN."""
    words = card.entries()
    if closure:
        return len(words) == 2 and all(map(WHOLE.fullmatch, words))
    return len(words) > 7 and all(map(WHOLE.fullmatch, words[:5])) and "." in words[5] + words[6]


def _fields(deck: Deck) -> dict[str, Any]:
    """The fields of a linkage from the cards of a deck; none where a problem, kept with others, ends the reading."""
    deck.next, deck.problems = 0, []
    try:
        return (read_closure if len(deck.cards[0].entries()) <= 2 else read_main)(deck)
    except Broken:
        return {}


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
