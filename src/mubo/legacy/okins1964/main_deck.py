"""The deck of program MAIN (O'Kins 1964, appendix B).

    MATRIX IPTYPE MXSTEP NUMCYC MAXR DELTEE DRIVER SIG IFRAME HYST TRAKIN ALL   5I3, 2F10.4, 10F2.0, 17X, 5I1, 3F1.0
    R(1) … R(MAXR)                   10F8.2   lengths
    THETA(1) … THETA(MAXR)           10F8.2   directions in degrees
    NORDER(loop, 1 … 2 MATRIX)       20I3     one card per loop: two fields per link, signed vector numbers

z1 is the driver: IPTYPE 1 a ram, whose link is number 1; IPTYPE 2 a crank, whose link has no number. SIG is the sign of
z1 in each equation, two per loop. Behind the fields of the links a card may name further signed vectors: frame
vectors, or a third vector of a link; its link is given by another loop's card, or by KINE's IOMCOR.
"""

from __future__ import annotations

from typing import Any

from mubo.lazy_dataclass import dataclass
from mubo.legacy.okins1964.cards import REAL, WHOLE, Card, Deck
from mubo.legacy.okins1964.closure_deck import loop_count, read_vectors, require_count, require_vectors
from mubo.legacy.okins1964.kine_deck import read_kine
from mubo.legacy.okins1964.linkage import Drive, Positions, VectorLoop, VectorPath, vector_name

FURTHER = 40  # signed vectors behind the links' fields


@dataclass(frozen=True)
class First:
    """The first card."""

    matrix: int
    kind: int
    positions: int
    passes: int
    vectors: int
    step: float
    rate: float
    signs: tuple[int, ...]  # of z1, per loop
    frame: tuple[int, ...]
    back: bool
    paths: bool
    every: bool


def read_main(deck: Deck) -> dict[str, Any]:
    """Vectors, loops, links, driver, positions and paths."""
    first = _first(deck)
    deck.needed = 1 + 2 + first.matrix // 2 + 4 * first.paths
    if len(deck.cards[1].entries() if len(deck.cards) > 1 else "") <= 10:  # ten numbers to a card
        deck.needed += 2 * ((first.vectors - 1) // 10)
    lengths, angles = read_vectors(deck, first.vectors)
    rows = []
    for number in range(1, first.matrix // 2 + 1):
        size = 2 * first.matrix
        values = deck.integers(f"NORDER of loop {number}", lambda values, n=size: (n, n + FURTHER))  # type: ignore[misc]
        rows.append((deck.line, values))
    links = _links(deck, first, rows)
    paths: tuple[VectorPath, ...] = ()
    path_links: dict[int, int] = {}
    if first.paths:
        paths, path_links = read_kine(deck, first.vectors, links, first.frame, first.kind == 2, first.every)
    further = {abs(v) for _, row in rows for v in row[2 * first.matrix :]}
    links |= {v: link for v, link in path_links.items() if v in further}
    path_links = {v: link for v, link in path_links.items() if v not in further}
    loops = tuple(_loop(deck, first, number, line, row, links) for number, (line, row) in enumerate(rows, 1))
    _require_all_used(deck, first, links, path_links)
    return {
        "lengths": lengths,
        "angles": angles,
        "loops": loops,
        "links": tuple(tuple(sorted(v for v, k in links.items() if k == n)) for n in range(1, first.matrix + 1)),
        "frame": first.frame,
        "drive": Drive("ram" if first.kind == 1 else "crank", first.rate),
        "positions": Positions(first.positions, first.step, first.back, first.passes),
        "paths": paths,
        "path_links": path_links,
    }


def _first(deck: Deck) -> First:
    card = deck.card("MATRIX, IPTYPE …")
    head, signs, frame, flags = _columns(card) or _separated(deck, card)
    for name, text in zip(("MATRIX", "IPTYPE", "MXSTEP", "NUMCYC", "MAXR"), head, strict=False):
        if not WHOLE.fullmatch(text):
            raise deck.broken(f'{name} should be a whole number; found "{text}"')
    matrix, kind, positions, passes, vectors = (int(text) for text in head[:5])
    loops = loop_count(deck, matrix)
    for name, value in (("MAXR", vectors), ("MXSTEP", positions), ("NUMCYC", passes)):
        require_count(deck, name, value)
    if kind not in (1, 2):
        deck.problem(f"IPTYPE is {kind}; 1 is a ram, 2 a crank")
    step, rate = (_real(deck, name, text) for name, text in zip(("DELTEE", "DRIVER"), head[5:7], strict=True))
    if step <= 0:
        deck.problem(f"DELTEE, the time step, is {step:g}; it must be positive")
    if rate == 0:
        deck.problem("DRIVER, the rate of the driver, is 0: nothing moves")
    on = []
    for name, text in zip(("HYST", "TRAKIN", "ALL"), flags, strict=True):
        if not REAL.fullmatch(text) or float(text) not in (0, 1):
            deck.problem(f"{name} is {text}; it is 0 or 1")
        on.append(text.strip("+.0") == "1")
    wrong = [text for text in frame if not WHOLE.fullmatch(text)]
    if wrong:
        raise deck.broken(f'IFRAME: "{wrong[0]}" is no vector number')
    fixed = [int(text) for text in frame]
    frame_vectors = tuple(require_vectors(deck, "IFRAME", [v for v in fixed if v], vectors))
    if 1 in frame_vectors:
        deck.problem("IFRAME: z1 is the driver and no frame vector")
    z1 = _signs(deck, [_real(deck, "SIG", text) for text in signs], loops)
    return First(matrix, kind, positions, passes, vectors, step, rate, z1, tuple(map(abs, frame_vectors)), *on)


def _real(deck: Deck, name: str, text: str) -> float:
    if REAL.fullmatch(text):
        return deck.real(text, name)
    raise deck.broken(f'{name} should be a number; found "{text}"')


def _signs(deck: Deck, values: list[float], loops: int) -> tuple[int, ...]:
    """SIG has two equal entries per loop."""
    if len(values) < 2 * loops:
        raise deck.broken(
            f"MATRIX is {2 * loops}, so that SIG needs {2 * loops} entries; columns hold {len(values)}: separate the "
            "numbers of this card by blanks"
        )
    if any(value not in (-1, 0, 1) for value in values) or any(values[2 * loops :]):
        raise deck.broken(f"SIG has {2 * loops} entries of 0, 1 or -1; found {' '.join(f'{v:g}' for v in values)}")
    pairs = [values[2 * k : 2 * k + 2] for k in range(loops)]
    for number, (x, y) in enumerate(pairs, 1):
        if x != y:
            deck.problem(f"SIG of loop {number} is {x:g} and {y:g}; both equations of a loop have the same sign of z1")
    if not any(values):
        deck.problem("SIG is 0 in every loop: the driver z1 moves nothing")
    return tuple(int(x) for x, _ in pairs)


Texts = tuple[list[str], list[str], list[str], list[str]]  # first seven numbers, SIG, IFRAME, flags


def _columns(card: Card) -> Texts | None:
    """The fields where the card keeps to its columns, blank ones "0"."""
    if "\t" in card.text or len(card.text) > 80 or card.text[55:72].strip():
        return None
    fields, at = [], 0
    for width, count, form in ((3, 5, WHOLE), (10, 2, REAL), (2, 10, REAL), (17, 1, REAL), (1, 8, WHOLE)):
        for _ in range(count):
            text = card.text[at : at + width].strip()
            at += width
            needed = width in (3, 10)  # a number without a point in F10.4 would mean another one
            if (needed and not text) or (text and not form.fullmatch(text)) or (width == 10 and "." not in text):
                return None
            fields.append(text or "0")
    return fields[:7], fields[7:17], fields[18:23], fields[23:]


def _separated(deck: Deck, card: Card) -> Texts:
    """The fields of a card separated by blanks: SIG has MATRIX or ten entries, IFRAME one for each frame vector."""
    words = card.entries()
    matrix = int(words[0]) if WHOLE.fullmatch(words[0]) else 0
    rest = words[7:]
    padded = matrix < 10 and len(rest) > 10 and not any(text.strip("+-.0") for text in rest[matrix:10])
    size = 10 if padded else max(matrix, 0)
    tail = rest[size:]
    if len(tail) == 1 and tail[0].isdigit() and len(tail[0]) >= 3:  # "25111", as the thesis prints it
        tail = list(tail[0])
    elif len(tail) > 1 and len(tail[-1]) == 3 and not tail[-1].strip("01"):  # "25 111": columns with fewer blanks
        most = int(words[4]) if words[4].isdigit() else 0
        numbers = [[text] if text.isdigit() and int(text) <= most else list(text) for text in tail[:-1]]
        tail = [text for group in numbers for text in group] + list(tail[-1])
    if len(tail) < 3:
        raise deck.broken(
            f"the first card has {len(words)} numbers; expected are MATRIX IPTYPE MXSTEP NUMCYC MAXR DELTEE DRIVER, "
            f"{size} of SIG, the frame vectors, HYST TRAKIN ALL"
        )
    return words[:7], rest[:size], tail[:-3], tail[-3:]


def _links(deck: Deck, first: First, rows: list[tuple[int, list[int]]]) -> dict[int, int]:
    """Link of each vector, from the columns it stands in."""
    links: dict[int, int] = {}
    for number, (line, row) in enumerate(rows, 1):
        for column, value in enumerate(row[: 2 * first.matrix]):
            vector, link = abs(value), column // 2 + 1
            if not 1 <= vector <= first.vectors:
                continue  # zero, or a problem of its loop
            where = f"NORDER of loop {number}: {vector_name(vector)}"
            if vector in first.frame:
                deck.problem(f"{where} stands in the fields of link {link}, but IFRAME says it is fixed", line)
            elif first.kind == 2 and vector == 1:
                deck.problem(f"{where} is the crank, which has no link number: its sign belongs into SIG", line)
            elif links.setdefault(vector, link) != link:
                deck.problem(
                    f"{where} stands in the fields of link {link}, and elsewhere of link {links[vector]}", line
                )
    if first.kind == 1 and links.get(1) != 1:
        deck.problem("the ram z1 must stand in the fields of link 1", rows[0][0])
    empty = [n for n in range(1, first.matrix + 1) if n not in links.values()]
    if empty:
        names = ", ".join(map(str, empty))
        deck.problem(f"no vector stands in the fields of link{'s' * (len(empty) > 1)} {names}", rows[0][0])
    return links


def _loop(deck: Deck, first: First, number: int, line: int, row: list[int], links: dict[int, int]) -> VectorLoop:
    what = f"NORDER of loop {number}"
    size = 2 * first.matrix
    further = [v for v in row[size:] if v]
    for value in row[:size] + further:
        if abs(value) > first.vectors:
            deck.problem(f"{what}: there is no vector {value}; vectors are 1 to {first.vectors}", line)
    vectors = [v for v in row[:size] if v and abs(v) <= first.vectors]
    extra = [v for v in further if abs(v) <= first.vectors]
    for value in extra:
        if abs(value) not in first.frame and abs(value) not in links:
            deck.problem(
                f"{what}: neither the card of another loop nor IOMCOR gives the link of {vector_name(value)}", line
            )
    sign = first.signs[number - 1]
    found = next((1 if v > 0 else -1 for v in vectors if abs(v) == 1), 0)
    if first.kind == 1 and found != sign:
        deck.problem(f"{what} has z1 with the sign {found}, SIG with {sign}", line)
    if first.kind == 2 and sign:
        vectors.insert(0, sign)
    every = vectors + extra
    twice = {abs(v) for v in every if [abs(u) for u in every].count(abs(v)) > 1}
    if twice:
        deck.problem(f"{what}: {', '.join(map(vector_name, sorted(twice)))} is in it twice", line)
    if len(every) < 2:
        deck.problem(f"{what} has {len(every)} moving vectors: that is no loop", line)
    complete = any(abs(v) in first.frame for v in extra) or not first.frame
    return VectorLoop(tuple(every), line, complete)


def _require_all_used(deck: Deck, first: First, links: dict[int, int], path_links: dict[int, int]) -> None:
    for vector in range(2, first.vectors + 1):
        if vector not in links and vector not in first.frame and vector not in path_links:
            deck.problem(f"{vector_name(vector)} is in no loop, and IFRAME does not have it either", deck.cards[0].line)
