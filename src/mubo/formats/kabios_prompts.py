"""The prompts of KABIOS (Flores 2010, section 5), each with the check of its answer; together they make a file."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from mubo.formats import kabios_records as records
from mubo.formats.kabios_records import NumberReader
from mubo.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Prompt:
    """A question in the words of the manual, the letter of its record, and the function that reads an answer."""

    label: str
    text: str
    read: Callable[[NumberReader], Any]

    def answer(self, line: str) -> Any:
        """Reads an answer; a wrong one is refused with its reason."""
        reader = NumberReader(line)
        found = self.read(reader)
        records.require_end(reader, "the last number of this answer")
        return found


def prompts() -> Generator[Prompt, Any, None]:
    """Asks for one record after the other; each answer that is sent back decides what is asked next."""
    n = yield Prompt("a", "ENTER NB, NR, NT, NG, NS, ND, NP, NGUI, NDATA", _counts)
    bodies = n["NB"]
    for k in range(1, bodies + 1):
        yield Prompt("b", f"FOR BODY {k} ENTER INITIAL EST. ON X, Y, PHI", partial(_body, k=k))
    for label, count, text, read in _ELEMENTS:
        for k in range(1, n[count] + 1):
            yield Prompt(label, text.format(k=k), partial(read, k=k, bodies=bodies))
    before = None
    for k in range(1, n["NDATA"] + 1):
        text = f"ENTER LINE NO. {k} OF {n['NDATA']} OF THE GUIDE DATA: T AND {n['NGUI']} VALUES"
        before = yield Prompt("", text, partial(records.read_sample, k=k, guides=n["NGUI"], before=before))
    yield Prompt("j", "ENTER STARTING TIME, FINAL TIME, AND TIME INCREMENT", records.read_times)


def _counts(r: NumberReader) -> dict[str, int]:
    n = records.read_counts(r)
    records.require_samples(r, n)
    return n


def _body(r: NumberReader, k: int) -> tuple[float, float, float]:
    return records.read_body(r, k, numbered=r.has(4))


def _constraint(r: NumberReader, k: int, bodies: int) -> str:
    return records.read_coordinate(r, f"simple constraint {k}", bodies)


def _guide(r: NumberReader, k: int, bodies: int) -> str:
    return records.read_coordinate(r, f"guide {k}", bodies)


_ELEMENTS: tuple[tuple[str, str, str, Callable[..., Any]], ...] = (
    (
        "c",
        "NR",
        "FOR REVOLUTE JOINT NO. {k} ENTER BODY NOS. I AND J XI-P-I, ETA-P-I, XI-P-J, ETA-P-J",
        records.read_revolute,
    ),
    (
        "d",
        "NT",
        "FOR TRAN. JOINTS NO. {k} ENTER BODY NOS. I AND J XI-P-I, ETA-P-I, XI-Q-I, ETA-Q-I, XI-P-J, ETA-P-J",
        records.read_translational,
    ),
    ("e", "NG", "ENTER BODY NO. FOR NO. {k} GROUND BODY", records.read_ground),
    (
        "f",
        "NS",
        "FOR SIMPLE CONSTRAINT NO. {k} ENTER BODY NO. AND 1, 2, OR 3 FOR X, Y, OR PHI CONSTRAINT DIRECTION",
        _constraint,
    ),
    (
        "g",
        "ND",
        "FOR DRIVER NO. {k} ENTER BODY NO. I 1, 2, OR 3 FOR X, Y, OR PHI INITIAL POSITION, VELOCITY, AND ACCELERATION",
        records.read_driver,
    ),
    ("h", "NP", "POINT OF INTEREST NO. {k} ENTER BODY NO. XI-P-I, ETA-P-I COORDINATES", records.read_point),
    ("i", "NGUI", "FOR GUIDE NO. {k} ENTER BODY NO. I 1, 2, OR 3 FOR X, Y, OR PHI", _guide),
)
