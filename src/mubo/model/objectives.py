"""Objectives: one number of a whole run, in a few words, which all studies of design share.

    max COLUMN, min COLUMN        the greatest and the least value, also between rows
    largest COLUMN                the greatest size, without its sign
    range COLUMN                  greatest minus least
    mean COLUMN, rms COLUMN       over time
    first COLUMN, last COLUMN     at the first and the last row
    stroke, stroke of JOINT       how far an output goes to and fro: the range of its coordinate
    time ratio, time ratio of JOINT   of a quick return: the slow stroke's time over the fast one's
    transmission                  the least transmission angle
    pin load, pin load of JOINT   the largest force of any joint, or of one
    mass                          of all bodies
    path error of POINT from FILE     root mean square of how far the points of FILE (two columns) are from its path
    timed path error of POINT from FILE   likewise, each at its time: FILE has t before the coordinates

COLUMN is any column of the run, a measure included. A model file names one as [measure.NAME] with `number = "…"`.
"""

from __future__ import annotations

import re
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass

OF_COLUMN = ("max", "min", "largest", "range", "mean", "rms", "first", "last")
OF_JOINT = ("stroke", "time ratio", "pin load")  # their joint may be left out
OF_RUN = ("transmission", "mass")
PATH, TIMED = "path error", "timed path error"
WORDS = (*OF_COLUMN, *OF_JOINT, *OF_RUN, PATH, TIMED)
_PATH = re.compile(r"^(path error|timed path error) of (\S+) from (.+)$")


@dataclass(frozen=True)
class Objective:
    """One number of a run: `how` is one of WORDS, `of` its column, joint or point; `curve` the file of a path."""

    name: str
    how: str
    of: str = ""
    curve: str = ""

    @property
    def text(self) -> str:
        """As it is written."""
        if self.how in (PATH, TIMED):
            return f"{self.how} of {self.of} from {self.curve}"
        joined = " of " if self.how in OF_JOINT else " "
        return f"{self.how}{joined}{self.of}" if self.of else self.how


def read_objective(text: Any, name: str = "") -> Objective:
    """The objective that a text such as "max motor.effort" says; it is called so unless it has another name."""
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
    examples = (
        'such as "max motor.effort", "range P.x", "stroke", "time ratio", "transmission", "pin load of A", "mass"'
    )
    raise ModelError(f'"{words}" is no objective {examples}. {nearest(head, WORDS)}')
