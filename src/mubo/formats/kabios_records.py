"""The records (a) to (j) of KABIOS (Flores 2010, section 5), read and checked one by one.

Files and answers to prompts consist of the same records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

COUNTS = ("NB", "NR", "NT", "NG", "NS", "ND", "NP", "NGUI", "NDATA")
COORDINATES = ("x", "y", "phi")
MOST_COUNTED = 100_000  # values too many that are counted
_LABEL = re.compile(r"\(\s*[a-jA-J]\s*\)\s*$")


@dataclass(frozen=True)
class _Token:
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.split(r"[,\s]+", _LABEL.sub("", line).strip()):
            if word:
                yield _Token(word, number)


class NumberReader:
    """Numbers in order, with the line each stands on. No more of the file is taken apart than is asked for.

    Without a path the text is an answer to a prompt, and messages name no line.
    """

    def __init__(self, text: str, path: Path | None = None) -> None:
        self.path = path
        self._rest = _tokens(text)
        self.tokens: list[_Token] = []
        self.next = 0

    def has(self, count: int) -> bool:
        """Whether there are so many values in all, or more."""
        self.tokens += islice(self._rest, max(count - len(self.tokens), 0))
        return len(self.tokens) >= count

    def error(self, line: int, text: str) -> ModelError:
        return ModelError(text if self.path is None else f"{self.path}, line {line}: {text}")

    def number(self, element: str, what: str) -> float:
        if not self.has(self.next + 1):
            line = self.tokens[-1].line if self.tokens else 1
            whole = "file" if self.path else "answer"
            raise self.error(line, f"the {whole} ends early: {what} of {element} is missing")
        token = self.tokens[self.next]
        self.next += 1
        try:
            if "_" in token.text:
                raise ValueError
            value = float(re.sub("[dD]", "e", token.text))
        except ValueError:
            raise self.error(token.line, f'{element}: {what} should be a number; found "{token.text}"') from None
        if value != value or value in (float("inf"), float("-inf")):
            raise self.error(token.line, f"{element}: {what} is {token.text}")
        return value

    def integer(self, element: str, what: str, low: int, high: int) -> int:
        value = self.number(element, what)
        line = self.tokens[self.next - 1].line
        if value != int(value):
            raise self.error(line, f"{element}: {what} should be a whole number; found {value:g}")
        if not low <= value <= high:
            raise self.error(line, f"{element}: {what} must be {low} to {high}; found {value:g}")
        return int(value)

    @property
    def line(self) -> int:
        return self.tokens[max(self.next - 1, 0)].line if self.tokens else 1


def read_counts(r: NumberReader) -> dict[str, int]:
    """Record (a): the counts by name, with as many equations as coordinates."""
    n = {name: r.integer("line (a)", name, 0, 1_000_000) for name in COUNTS}
    if n["NB"] < 1:
        raise r.error(r.line, "NB must be at least 1: a model has bodies")
    _require_square(r, n)
    return n


def read_times(r: NumberReader) -> tuple[float, float, float]:
    """Record (j): start, end and step."""
    start, end, step = (r.number("the time parameters", what) for what in ("T0", "TE", "DT"))
    if step <= 0:
        raise r.error(r.line, f"the time step DT must be positive; found {step:g}")
    if end < start:
        raise r.error(r.line, f"the final time TE = {end:g} is before the starting time T0 = {start:g}")
    return start, end, step


def require_end(r: NumberReader, what: str) -> None:
    """Refuses values behind the last one."""
    if not r.has(r.next + 1):
        return
    extra = r.tokens[r.next]
    many = r.has(r.next + MOST_COUNTED)
    left = len(r.tokens) - r.next
    why = ": the counts of line (a) do not match the lines" if r.path else ""
    text = f'{left} {"or more " * many}value{"s" * (left > 1)} too many after {what}, the first is "{extra.text}"{why}'
    raise r.error(extra.line, text)


def _require_square(r: NumberReader, n: dict[str, int]) -> None:
    """N = M, as the manual asks."""
    coordinates = 3 * n["NB"]
    equations = 2 * (n["NR"] + n["NT"]) + 3 * n["NG"] + n["NS"] + n["ND"] + n["NGUI"]
    if equations != coordinates:
        relation, cure = (
            ("more", "remove a joint, constraint or driver")
            if equations > coordinates
            else ("fewer", "add a driver or constraint")
        )
        raise r.error(
            r.line,
            f"there are {relation} equations than coordinates: M = {equations}, N = 3 NB = {coordinates}; {cure}",
        )


def read_body(r: NumberReader, k: int, numbered: bool) -> tuple[float, float, float]:
    """Record (b): the estimates of a body."""
    name = f"body {k}"
    if numbered:
        r.integer(name, "its number", k, k)
    x, y, phi = (r.number(name, what) for what in ("X", "Y", "PHI"))
    return x, y, phi


def read_revolute(r: NumberReader, k: int, bodies: int) -> tuple[int, int, list[float]]:
    """Record (c): two bodies and the coordinates of P on both."""
    name = f"revolute joint {k}"
    i, j = _pair(r, name, bodies)
    return i, j, [r.number(name, what) for what in ("XI-P-I", "ETA-P-I", "XI-P-J", "ETA-P-J")]


def read_translational(r: NumberReader, k: int, bodies: int) -> tuple[int, int, list[float]]:
    """Record (d): two bodies, the coordinates of P and Q on the first and of P on the second."""
    name = f"translational joint {k}"
    i, j = _pair(r, name, bodies)
    names = ("XI-P-I", "ETA-P-I", "XI-Q-I", "ETA-Q-I", "XI-P-J", "ETA-P-J")
    at = [r.number(name, what) for what in names]
    if at[:2] == at[2:4]:
        raise r.error(r.line, f"{name}: its points P and Q on body {i} are the same: the axis has no direction")
    return i, j, at


def read_ground(r: NumberReader, k: int, bodies: int) -> int:
    """Record (e): a body."""
    return r.integer(f"ground constraint {k}", "the body number", 1, bodies)


def read_coordinate(r: NumberReader, name: str, bodies: int) -> str:
    """Records (f) and (i), and the beginning of (g): a coordinate of a body, such as "body2.phi"."""
    body = r.integer(name, "the body number", 1, bodies)
    return f"body{body}.{COORDINATES[r.integer(name, 'the coordinate (1 x, 2 y, 3 phi)', 1, 3) - 1]}"


def read_driver(r: NumberReader, k: int, bodies: int) -> tuple[str, list[float]]:
    """Record (g): a coordinate, its position, velocity and acceleration."""
    name = f"driver {k}"
    of = read_coordinate(r, name, bodies)
    return of, [r.number(name, what) for what in ("the position", "the velocity", "the acceleration")]


def read_point(r: NumberReader, k: int, bodies: int) -> tuple[int, float, float]:
    """Record (h): a point on a body."""
    name = f"point of interest {k}"
    body = r.integer(name, "the body number", 1, bodies)
    return body, r.number(name, "XI-P-I"), r.number(name, "ETA-P-I")


def read_sample(r: NumberReader, k: int, guides: int, before: list[float] | None) -> list[float]:
    """A line of the guide data: its time, later than that of the line before, and the values."""
    name = f"guide sample {k}"
    row = [r.number(name, "the time" if c == 0 else f"column {c}") for c in range(guides + 1)]
    if before is not None and row[0] <= before[0]:
        word = "equals" if row[0] == before[0] else "is before"
        raise r.error(r.line, f"{name}: its time {row[0]:g} {word} the one before, {before[0]:g}")
    return row


def require_samples(r: NumberReader, n: dict[str, int]) -> None:
    """Refuses guides without data."""
    if n["NGUI"] and n["NDATA"] < 2:
        raise r.error(r.line, f"guides need at least two samples; NDATA is {n['NDATA']}")


def _pair(r: NumberReader, name: str, bodies: int) -> tuple[int, int]:
    i, j = (r.integer(name, f"body number {letter}", 1, bodies) for letter in "IJ")
    if i == j:
        raise r.error(r.line, f"{name}: it joins body {i} to itself")
    return i, j
