"""Draws the flowcharts of docs/kabios.md (Flores 2010, sections 3, 9) and docs/decks.md (O'Kins 1964, Figures 12-15).

`make format` runs it, and tests/house/test_flowcharts.py compares.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDE, HIGH, GAP, LEFT = 330, 46, 24, 40  # of a box, pixels
BLUE, INK = "#0072B2", "#222222"
# Steps as (shape, text, …); a test has the number of the step that "yes" returns to, and its word for going on.
PROCEDURE = (
    ("end", "start"),
    ("box", "read the model: estimates q⁰, time t = t⁰"),
    ("box", "positions: solve Φ(q, t) = 0 for q (Newton–Raphson)"),
    ("box", "velocities: solve Φq q̇ = ν for q̇"),
    ("box", "accelerations: solve Φq q̈ = γ for q̈"),
    ("box", "next time: t := t + Δt"),
    ("test", "t ≤ final time?", 2),
    ("end", "stop"),
)
PROGRAM = (
    ("end", "mubo kinematics MODEL"),
    ("box", "read records (a) to (j), or ask for them"),
    ("box", "check counts, body numbers and N = M"),
    ("box", "smooth the guide data (cubic splines)"),
    ("box", "evaluate drivers and guides at t"),
    ("box", "evaluate Φ and its Jacobian matrix Φq"),
    ("box", "correct q by the solution of Φq Δq = −Φ"),
    ("test", "|Φ| > FEPS, iterations < NRMAX?", 5),
    ("box", "velocities, accelerations, points of interest"),
    ("box", "t := t + DT"),
    ("test", "t ≤ TE?", 4),
    ("box", "write listing, table and charts"),
    ("end", "stop"),
)
MAIN = (
    ("end", "program MAIN"),
    ("box", "read cards: R, THETA, NORDER, SIG, IFRAME"),
    ("box", "write the angles THEAPP"),
    ("box", "ACOE: coefficients; BCOE, mode 1: right sides"),
    ("box", "GAUSS: angular rates; a zero pivot ends the data set"),
    ("box", "ANGLE: corrector (19), but not at position one"),
    ("test", "fewer than NUMCYC passes?", 2),
    ("box", "BCOE, mode 2, and GAUSS: accelerations; residues"),
    ("box", "KINE (TRAKIN 1); write THETA2, OMEGA, ALPHA"),
    ("box", "move the driver by DELTEE; ANGLE: predictor (17)"),
    ("test", "fewer than MXSTEP positions? with HYST: twice", 2),
    ("test", "another data set?", 1),
    ("end", "stop"),
)
BCOE = (
    ("end", "subroutine BCOE"),
    ("box", "C1, S1 of the driver; BEE := 0"),
    ("box", "mode 2: add Σ a ω² of the other equation of the loop"),
    ("box", "mode 2: add up residues and total path"),
    ("test", "another loop?", 2),
    ("box", "ram: ṙ S1, −ṙ C1 (mode 1), 2 ṙ ω C1, S1 (mode 2)"),
    ("box", "crank: r Ω C1, S1 (mode 1), r Ω² S1, C1 (mode 2)"),
    ("test", "another loop with the driver?", 5),
    ("box", "mode 2: residues in per cent of the path"),
    ("end", "return"),
)
GAUSS = (
    ("end", "subroutine GAUSS"),
    ("box", "largest element of the adjusted matrix"),
    ("box", "its column and row to the corner; note COLSWP"),
    ("box", "pivot zero: write AY, BEE, COLSWP and return"),
    ("box", "divide the first row by the pivot"),
    ("box", "subtract its multiples from the other rows"),
    ("test", "an adjusted matrix with more than one term?", 1),
    ("box", "last unknown from the last row"),
    ("box", "next unknown upwards; columns back by COLSWP"),
    ("test", "another row?", 8),
    ("end", "return"),
)
KINE = (
    ("end", "subroutine KINE"),
    ("box", "position one: read paths, couplers, signs, links"),
    ("box", "begin a path at the frame pin of the driver"),
    ("box", "next vector: x, y (3, 4), rates (20) to (23)"),
    ("box", "add them; where ALL is 1, write the point"),
    ("test", "another vector in the path?", 3),
    ("box", "write the last point, and the coupler point"),
    ("test", "another path?", 2),
    ("end", "return"),
)


def flowchart(steps: tuple[tuple[object, ...], ...]) -> str:
    """The drawing of a column of steps as SVG."""
    high = len(steps) * (HIGH + GAP) + GAP
    loops = [_outside(number, int(str(back[0]))) for number, (_, _, *back) in enumerate(steps) if back]
    wide = max(WIDE + 3 * LEFT, *(out + LEFT // 2 for out in loops))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0 L8 4 L0 8 z" fill="{INK}"/></marker></defs>',
    ]
    for number, (shape, text, *back) in enumerate(steps):
        lines += _step(str(shape), str(text), _top(number))
        if number + 1 < len(steps):
            lines.append(_arrow(f"M{_middle()} {_top(number) + HIGH} V{_top(number + 1) - 1}"))
        if back:
            lines += _loop(number, int(str(back[0])))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _top(number: int) -> int:
    return GAP + number * (HIGH + GAP)


def _middle() -> int:
    return LEFT + WIDE // 2


def _step(shape: str, text: str, top: int) -> Iterator[str]:
    look = f'fill="#f4f8fb" stroke="{BLUE}" stroke-width="1.5"'
    if shape == "test":
        ends = ((LEFT, HIGH // 2), (LEFT + 36, 0), (LEFT + WIDE - 36, 0), (LEFT + WIDE, HIGH // 2))
        ends += ((LEFT + WIDE - 36, HIGH), (LEFT + 36, HIGH))
        yield f'<polygon points="{" ".join(f"{x},{top + y}" for x, y in ends)}" {look}/>'
    else:
        corner = HIGH // 2 if shape == "end" else 4
        yield f'<rect x="{LEFT}" y="{top}" width="{WIDE}" height="{HIGH}" rx="{corner}" {look}/>'
    place = f'x="{_middle()}" y="{top + HIGH // 2 + 5}" text-anchor="middle"'
    yield f'<text {place} fill="{INK}">{escape(text)}</text>'


def _outside(number: int, back: int) -> int:
    """Where the line of a loop runs: longer loops go farther out."""
    return LEFT + WIDE + LEFT + 8 * max(number - back - 3, -1)


def _loop(number: int, back: int) -> Iterator[str]:
    """The arrow of "yes" back to an earlier step, and the word "no" on the arrow that goes on."""
    right, out = LEFT + WIDE, _outside(number, back)
    start, end = _top(number) + HIGH // 2, _top(back) + HIGH // 2
    yield _arrow(f"M{right} {start} H{out} V{end} H{right + 1}")
    yield f'<text x="{right + 6}" y="{start - 5}" fill="{INK}">yes</text>'
    yield f'<text x="{_middle() + 7}" y="{_top(number) + HIGH + 16}" fill="{INK}">no</text>'


def _arrow(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="1.3" marker-end="url(#tip)"/>'


PAGES = {
    "kabios.md": {"kabios_procedure.svg": PROCEDURE, "kabios_program.svg": PROGRAM},
    "decks.md": {"okins_main.svg": MAIN, "okins_bcoe.svg": BCOE, "okins_gauss.svg": GAUSS, "okins_kine.svg": KINE},
}
DRAWINGS = {name: steps for drawings in PAGES.values() for name, steps in drawings.items()}

if __name__ == "__main__":
    for name, steps in DRAWINGS.items():
        (PICTURES / name).write_text(flowchart(steps))
