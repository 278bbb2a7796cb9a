"""Cards: lines of numbers in fixed columns, or separated by blanks; all their problems with line numbers.

A card is first taken as separated numbers if their count is right: then it reads the same in columns. Otherwise it is
taken by columns, where a blank field is zero, as FORTRAN does. Lines that begin with # and empty lines are no cards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

REAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
WHOLE = re.compile(r"[-+]?\d+")
_GLUED = re.compile(r"(?<=[0-9.])(?=[-+])")


class Broken(Exception):
    """Raised where the rest of a deck cannot be read, because the order of its cards is lost."""


@dataclass(frozen=True)
class Card:
    """A line of the file and its number."""

    line: int
    text: str

    def entries(self) -> list[str]:
        """The entries that blanks, commas and signs separate: "0-18 7" is 0, -18 and 7."""
        parts = [part for part in re.split(r"[,\s]+", self.text) if part]
        return [word for part in parts for word in _GLUED.split(part)]

    def fields(self, width: int, count: int, form: re.Pattern[str]) -> list[str] | None:
        """The fields of columns of one width; None if some field is no number or more follows."""
        if "\t" in self.text or len(self.text) > width * count:
            return None
        found = [self.text[k * width : (k + 1) * width].strip() for k in range(count)]
        return found if all(not text or form.fullmatch(text) for text in found) else None


class Deck:
    """The cards of a file in order, and their problems."""

    def __init__(self, text: str, path: Path, cards: list[Card] | None = None) -> None:
        self.path = path
        self.cards = cards or [
            Card(number, line.rstrip())
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.next = 0
        self.problems: list[str] = []
        self.needed = 0  # least number of cards, which the first one gives

    @property
    def line(self) -> int:
        """Line of the card read last."""
        return self.cards[max(self.next - 1, 0)].line if self.cards else 1

    def problem(self, text: str, line: int | None = None) -> None:
        self.problems.append(f"line {line or self.line}: {text}")

    def require_none(self) -> None:
        """Raises all problems together."""
        if self.problems and len(self.cards) < self.needed:
            self.problem(
                f"the deck has {len(self.cards)} cards; its first card asks for at least {self.needed}",
                self.cards[0].line,
            )
        if self.problems:
            shown = self.problems[:20]
            if len(self.problems) > 20:
                shown.append(f"and {len(self.problems) - 20} more problems")
            raise ModelError(f"{self.path}:\n  " + "\n  ".join(shown))

    def broken(self, text: str, line: int | None = None) -> Broken:
        self.problem(text, line)
        return Broken()

    def card(self, what: str) -> Card:
        if self.next >= len(self.cards):
            raise self.broken(f"the deck ends early: the card with {what} is missing")
        self.next += 1
        return self.cards[self.next - 1]

    def reals(self, what: str, count: int, width: int = 8, per_card: int = 10) -> list[float]:
        """`count` numbers over as many cards as they need."""
        found: list[float] = []
        while len(found) < count:
            card = self.card(what)
            left = count - len(found)
            found += self._reals(card, what, left, min(left, per_card), width)
        return found

    def _reals(self, card: Card, what: str, left: int, here: int, width: int) -> list[float]:
        words = card.entries()
        if len(words) not in (here, left):
            fields = card.fields(width, here, REAL)
            if fields is None or not fields[-1]:
                more = "a card is missing before it" if len(words) > here else "numbers or a card are missing"
                raise self.broken(f"{what}: {len(words)} numbers found, {here} expected; {more}")
            words = [text or "0." for text in fields]
        ends = {match.end() for match in re.finditer(r"\S+", card.text)}
        values = []
        for word in words:
            if not REAL.fullmatch(word):
                self.problem(f'{what}: "{word}" is no number')
                values.append(math.nan)
                continue
            if "." not in word and all(end % width == 0 for end in ends) and word.strip("+-0"):
                self.problem(
                    f'{what}: "{word}" has no decimal point; punched in columns it would mean '
                    f"{int(word) / 100:g} (format F{width}.2): write the point"
                    if WHOLE.fullmatch(word)
                    else f'{what}: "{word}" has no decimal point'
                )
            values.append(self.real(word, what))
        return values

    def real(self, word: str, what: str) -> float:
        value = float(re.sub("[dD]", "e", word))
        if not math.isfinite(value):
            self.problem(f"{what}: {word} is too large")
        return value

    def integers(self, what: str, wanted: Callable[[list[int]], tuple[int, int]], per_card: int = 20) -> list[int]:
        """Whole numbers. `wanted` gives, from those read so far, the smallest and the largest count allowed."""
        card = self.card(what)
        words = card.entries()
        if all(WHOLE.fullmatch(word) for word in words):
            values = [int(word) for word in words]
            low, high = wanted(values)
            if low <= len(values) <= high:
                return values
        fields = card.fields(3, max(per_card, len(card.text) // 3 + 1), WHOLE)
        if fields is None:
            bad = [word for word in words if not WHOLE.fullmatch(word)]
            if bad:
                raise self.broken(f'{what}: "{bad[0]}" is no whole number; is a card missing before it?')
            return self._free(what, words, wanted, per_card)
        filled = max(k for k, text in enumerate(fields, 1) if text)
        values = [int(text or "0") for text in fields[: max(per_card, filled)]]
        _, high = wanted(values)
        if filled > high:
            raise self.broken(f"{what}: {filled} numbers found, {high} expected")
        while len(values) < high:
            low, high = wanted(values)
            if len(values) >= low:
                break
            more = self.card(what).fields(3, per_card, WHOLE)
            if more is None:
                raise self.broken(f"{what}: {len(values)} numbers found, {high} expected; a card may be missing")
            values += [int(text or "0") for text in more]
        return values[:high]

    def _free(
        self, what: str, words: list[str], wanted: Callable[[list[int]], tuple[int, int]], per_card: int
    ) -> list[int]:
        """Separated numbers that go on on the next lines, where one card cannot hold them all."""
        values = [int(word) for word in words]
        low, high = wanted(values)
        if len(values) < low <= per_card:
            raise self.broken(
                f"{what}: this card is short: {len(values)} numbers found, {low} expected; write 0 in fields that are "
                "blank, the last ones too"
            )
        while len(values) < low:
            if self.next >= len(self.cards):
                raise self.broken(f"{what}: {len(values)} numbers found, {low} expected")
            more = self.cards[self.next].entries()
            if len(values) + len(more) > high or not all(WHOLE.fullmatch(word) for word in more):
                raise self.broken(f"{what}: {len(values)} numbers found, {low} expected")
            self.next += 1
            values += [int(word) for word in more]
            low, high = wanted(values)
        if len(values) > high:
            raise self.broken(f"{what}: {len(values)} numbers found, {high} expected")
        return values

    def finish(self) -> None:
        """Notes cards that are left over as a problem."""
        left = self.cards[self.next :]
        if left:
            count = len(left)
            self.problem(
                f"{count} card{'s are' if count > 1 else ' is'} left over: the counts on the first card of a data set "
                "must match its cards, and another data set begins with such a card",
                left[0].line,
            )
