"""Objectives: one number of a whole run, in a few words, which all studies of design share.

    max COLUMN, min COLUMN        the greatest and the least value, also between rows
    largest COLUMN                the greatest size, without its sign
    range COLUMN                  greatest minus least
    mean COLUMN, rms COLUMN       over time
    fluctuation COLUMN            greatest minus least over the size of the mean, as the coefficient of a speed
    first COLUMN, last COLUMN     at the first and the last row
    stroke, stroke of JOINT       how far an output goes to and fro: the range of its coordinate
    time ratio, time ratio of JOINT   of a quick return: the slow stroke's time over the fast one's
    transmission                  the least transmission angle
    pin load, pin load of JOINT   the largest force of any joint, or of one
    energy swing of DRIVER        range of the work of its power beyond its mean: what a flywheel stores
    reflected inertia of DRIVER   of the whole mechanism at the only driver: 2 mean(T)/mean(ω²) of kinetic energy T
    mass                          of all bodies
    path error of POINT from FILE     root mean square of how far the points of FILE (two columns) are from its path
    timed path error of POINT from FILE   likewise, each at its time: FILE has t before the coordinates

COLUMN is any column of the run, a measure included. A model file names one as [measure.NAME] with `number = "…"`.
Expressions of them are objectives too: "range P.y / range P.x", "max(pin load of A, pin load of D)".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.laws.expression import parse
from mubo.laws.jet import FUNCTIONS
from mubo.lazy_dataclass import dataclass

OF_COLUMN = ("max", "min", "largest", "range", "mean", "rms", "fluctuation", "first", "last")
OF_JOINT = (
    "stroke",
    "time ratio",
    "pin load",
    "energy swing",
    "reflected inertia",
)  # their joint or driver may be left out
OF_RUN = ("transmission", "mass")
PATH, TIMED = "path error", "timed path error"
EXPRESSION = "expression"
WORDS = (*OF_COLUMN, *OF_JOINT, *OF_RUN, PATH, TIMED)
_PATH = re.compile(r"^(path error|timed path error) of (\S+) from (.+)$")
_ATOM = re.compile(r"[^-+*/^(),\s](?:[^-+*/^(),]*[^-+*/^(),\s])?")  # what stands between signs
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")


@dataclass(frozen=True)
class Objective:
    """One number of a run: `how` is one of WORDS, `of` its column, joint or point; `curve` the file of a path.

    Of an expression `of` is its text with m0, m1 … in place of `parts`, and `curve` what was written.
    """

    name: str
    how: str
    of: str = ""
    curve: str = ""
    parts: tuple[Objective, ...] = ()

    @property
    def text(self) -> str:
        """As it is written."""
        if self.how == EXPRESSION:
            return self.curve
        if self.how in (PATH, TIMED):
            return f"{self.how} of {self.of} from {self.curve}"
        joined = " of " if self.how in OF_JOINT else " "
        return f"{self.how}{joined}{self.of}" if self.of else self.how


def read_objective(text: Any, name: str = "", known: Mapping[str, Objective] | None = None) -> Objective:
    """The objective that a text such as "max motor.effort" says; it is called so unless it has another name.

    `known` are those that the model names, which may stand in expressions.
    """
    if not isinstance(text, str) or not text.strip():
        raise ModelError(f'an objective is a text such as "max motor.effort" or "stroke"; found {text!r}')
    words = " ".join(text.split())
    name = name or words
    if path := _PATH.match(words):
        return Objective(name, path[1], path[2], path[3])
    head, _, tail = words.partition(" ")
    if head in ("min", "least") and tail == "transmission":  # before columns: there is none of this name
        return Objective(name, "transmission")
    if head in OF_COLUMN and tail and " " not in tail:
        return Objective(name, head, tail)
    for how in (*OF_JOINT, *OF_RUN):
        if words == how:
            return Objective(name, how)
        if how in OF_JOINT and words.startswith(f"{how} of ") and " " not in words[len(how) + 4 :]:
            return Objective(name, how, words[len(how) + 4 :])
    if re.search(r"[-+*/^(]", words):
        return _expression(words, name, known or {})
    examples = (
        'such as "max motor.effort", "range P.x", "stroke", "time ratio", "transmission", "pin load of A", "mass"'
    )
    raise ModelError(f'"{words}" is no objective {examples}. {nearest(head, WORDS)}')


def _expression(text: str, name: str, known: Mapping[str, Objective]) -> Objective:
    """An expression whose atoms are objectives, numbers and functions."""
    parts: list[Objective] = []

    def atom(found: re.Match[str]) -> str:
        word = found[0]
        if _NUMBER.fullmatch(word) or (word in FUNCTIONS and text[found.end() :].lstrip().startswith("(")):
            return word
        parts.append(known.get(word) or read_objective(word))
        return f"m{len(parts) - 1}"

    try:
        formula = _ATOM.sub(atom, text)
        parse(formula, "of objectives")
    except ModelError as error:
        raise ModelError(f'"{text}": {error}') from None
    return Objective(name, EXPRESSION, formula, text, tuple(parts))
