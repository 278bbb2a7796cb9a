"""Where every table, key and value of a TOML text stands, so that an edit changes the characters concerned alone.

`tomllib` gives values without places. This scanner walks a text that `tomllib` has accepted, and gives the place of
each value by its path: ("body", "crank", "points", "B", 0) is the first coordinate of B.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field

from mubo.errors import ModelError

Path = tuple[str | int, ...]
_BLANK = re.compile(r"(?:[ \t]|\r?\n|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WORD = re.compile(r"[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?")  # a number, true, false or a date, which may have a blank
_QUOTES = ('"""', "'''", '"', "'")


@dataclass(frozen=True)
class ValueSpan:
    """A key with its value: where the key begins, and where the value begins and ends."""

    key: int
    start: int
    end: int


@dataclass
class Spans:
    """Entries by path, headers of tables (begin, end of the line), and the end of the last entry of each table."""

    text: str
    entries: dict[Path, ValueSpan] = field(default_factory=dict)
    headers: dict[Path, tuple[int, int]] = field(default_factory=dict)
    ends: dict[Path, int] = field(default_factory=dict)

    def value(self, path: Path) -> str:
        """The characters of a value as they stand in the text."""
        entry = self.entries[path]
        return self.text[entry.start : entry.end]

    def under(self, path: Path) -> list[Path]:
        """The paths of all entries within a table, an inline table or an array."""
        return [one for one in self.entries if len(one) > len(path) and one[: len(path)] == path]

    def region(self, path: Path) -> tuple[int, int]:
        """Where a table stands: from its header, or the comment lines right above it, to the end of its last entry."""
        start, end = self.headers[path]
        end = max(end, self.ends.get(path, end))
        while start > 0:
            before = self.text.rfind("\n", 0, start - 1) + 1
            if not self.text[before:start].lstrip().startswith("#"):
                break
            start = before
        return start, end


def scan(text: str) -> Spans:
    """The spans of a TOML text; a text that is no TOML is refused."""
    try:
        tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ModelError(f"the text is no TOML: {error}") from None
    return _Scanner(text).scan()


class _Scanner:
    """A walk through a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found = Spans(text)

    def scan(self) -> Spans:
        table: Path = ()
        self.at = 1 if self.text.startswith("\ufeff") else 0
        while self._skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
                continue
            self._entry(table)
            self.found.ends[table] = self._line_end()
        return self.found

    def _header(self) -> Path:
        start = self.text.rfind("\n", 0, self.at) + 1
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        table = self._keys()
        self.at += 2 if double else 1
        if double:
            table = (*table, sum(one[:-1] == table for one in self.found.headers))
        self.found.headers[table] = (start, self._line_end())
        return table

    def _line_end(self) -> int:
        """Behind the line break of the line, past a comment on it."""
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end + 1

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def _keys(self) -> Path:
        """A dotted key."""
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            start = self.at
            if self.text[start] in "\"'":
                self._string()
                (name,) = tomllib.loads(f"{self.text[start : self.at]} = 0")
                keys.append(name)
            else:
                keys.append(self.text[start : self._skip(_BARE)])
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return tuple(keys)
            self.at += 1

    def _entry(self, table: Path) -> None:
        key = self.at
        path = (*table, *self._keys())
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path, key)

    def _value(self, path: Path, key: int) -> None:
        start = self.at
        first = self.text[start]
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline(path)
        elif first in "\"'":
            self._string()
        else:
            self._skip(_WORD)
        self.found.entries[path] = ValueSpan(key, start, self.at)

    def _string(self) -> None:
        quote = next(one for one in _QUOTES if self.text.startswith(one, self.at))
        self.at += len(quote)
        while not self.text.startswith(quote, self.at):
            self.at += 2 if quote[0] == '"' and self.text[self.at] == "\\" else 1
        self.at += len(quote)
        while len(quote) == 3 and self.text.startswith(quote[0], self.at):  # up to two quotes may stand before the end
            self.at += 1

    def _array(self, path: Path) -> None:
        self.at += 1
        for number in range(len(self.text)):
            if self.text[self._skip(_BLANK)] == "]":
                break
            self._value((*path, number), self.at)
            if self.text[self._skip(_BLANK)] == ",":
                self.at += 1
        self.at += 1

    def _inline(self, path: Path) -> None:
        self.at += 1
        while self.text[self._skip(_BLANK)] != "}":
            self._entry(path)
            if self.text[self._skip(_BLANK)] == ",":
                self.at += 1
        self.at += 1
