"""The cards of subroutine KINE (O'Kins 1964, appendix G), behind those of MAIN where TRAKIN is 1.

NMPTHS NMTRMS(1) … NMTRMS(NMPTHS) NCOUP   26I3     paths, vectors in each, coupler points
RCOUP(1) … RCOUP(NCOUP)                   10F8.2   distance from the last point of path 1, 2 …
DELTA(1) … DELTA(NCOUP)                   10F8.2   degrees from the direction of its last vector
then for each path three cards            26I3
ISIGN                                              1 or -1 for each vector
ICQWNC                                             the vectors
IOMCOR                                             the links they belong to, 0 for the frame
"""

from __future__ import annotations

from mubo.legacy.okins1964.cards import Deck
from mubo.legacy.okins1964.linkage import CouplerPoint, VectorPath, vector_name


def read_kine(
    deck: Deck, vectors: int, links: dict[int, int], frame: tuple[int, ...], crank: bool, every: bool
) -> tuple[tuple[VectorPath, ...], dict[int, int]]:
    """The paths, and the links of vectors that only paths use."""

    def wanted(values: list[int]) -> tuple[int, int]:
        size = max(values[0], 1) + 1
        return size, size + 1

    head = deck.integers("NMPTHS, NMTRMS, NCOUP", wanted, per_card=26)
    paths, coupled = head[0], head[head[0] + 1] if len(head) > head[0] + 1 else 0
    if paths < 1 or min(head[1 : paths + 1]) < 1:
        raise deck.broken(f"NMPTHS is {paths} and NMTRMS {head[1 : paths + 1]}; each is at least 1 where TRAKIN is 1")
    if not 0 <= coupled <= paths:
        raise deck.broken(f"NCOUP is {coupled}; there is at most one coupler point per path, and {paths} paths")
    points: list[CouplerPoint | None] = [None] * paths
    if coupled:
        distances = deck.reals("RCOUP", coupled)
        points[:coupled] = map(CouplerPoint, distances, deck.reals("DELTA", coupled))
    found = []
    path_links: dict[int, int] = {}
    for number in range(1, paths + 1):
        signed, numbers = _path(deck, number, head[number], vectors)
        for vector, link in zip(signed, numbers, strict=True):
            _require_link(deck, number, abs(vector), link, links, frame, crank, path_links)
        found.append(VectorPath(tuple(signed), every, points[number - 1]))
    return tuple(found), path_links


def _path(deck: Deck, number: int, size: int, vectors: int) -> tuple[list[int], list[int]]:
    """Signed vectors, and IOMCOR."""
    rows = []
    for name in ("ISIGN", "ICQWNC", "IOMCOR"):
        rows.append(deck.integers(f"{name} of path {number}", lambda values: (size, size), per_card=26))
        for value in rows[-1]:
            if name == "ISIGN" and value not in (1, -1):
                deck.problem(f"ISIGN of path {number}: {value} should be 1 or -1")
            elif name == "ICQWNC" and not 1 <= value <= vectors:
                deck.problem(f"ICQWNC of path {number}: there is no vector {value}; vectors are 1 to {vectors}")
    return [s * v for s, v in zip(rows[0], rows[1], strict=True)], rows[2]


def _require_link(
    deck: Deck,
    number: int,
    vector: int,
    link: int,
    links: dict[int, int],
    frame: tuple[int, ...],
    crank: bool,
    path_links: dict[int, int],
) -> None:
    """IOMCOR must agree with the fields of NORDER; a vector in no loop gets its link from here."""
    what = f"IOMCOR of path {number}: {vector_name(vector)}"
    fixed = vector in frame or (crank and vector == 1)
    if vector in links or fixed:
        right = 0 if fixed else links[vector]
        if link != right:
            deck.problem(f"{what} is of link {right}; found {link}")
    elif link not in links.values():
        deck.problem(f"{what} is in no loop, and there is no link {link}")
    elif path_links.setdefault(vector, link) != link:
        deck.problem(f"{what} is of link {link} here, and elsewhere of link {path_links[vector]}")
