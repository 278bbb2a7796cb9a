"""A model file that is open: its text, its history, and the file on the disk, which stays the truth.

Every gesture is one entry of the history: the patches from the text before it to the text after it. Undo applies them
backwards, so the file comes back to the byte. Bytes are kept as they are: line ends, a byte-order mark, blanks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from mubo.errors import ModelError, MuboError
from mubo.formats.files import replacing, require_file

MOST_TEXT = 2_000_000  # bytes of a model that is edited by hand
MOST_ENTRIES = 1000
TOGETHER = 1.5  # seconds between two bursts of typing that are one entry


@dataclass(frozen=True)
class Change:
    """An entry of the history: what it was, and the characters that it replaced."""

    label: str
    start: int
    before: str
    after: str
    when: float = 0.0

    def forward(self, text: str) -> str:
        return text[: self.start] + self.after + text[self.start + len(self.before) :]

    def backward(self, text: str) -> str:
        return text[: self.start] + self.before + text[self.start + len(self.after) :]


def difference(label: str, before: str, after: str, when: float = 0.0) -> Change:
    """The smallest single replacement that leads from one text to another."""
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[len(before) - 1 - end] == after[len(after) - 1 - end]:
        end += 1
    return Change(label, start, before[start : len(before) - end], after[start : len(after) - end], when)


@dataclass
class Document:
    """The text of a file with its history; `notice` says what is wrong with the file on the disk."""

    path: Path
    text: str = ""
    version: int = 0
    notice: str = ""
    done: list[Change] = field(default_factory=list)
    undone: list[Change] = field(default_factory=list)
    disk: bytes | None = None  # as it was last read or written

    @classmethod
    def open(cls, path: Path) -> Document:
        """The document of a file; one that is too large or no text is refused."""
        document = cls(path)
        document.disk = _bytes(path)
        document.text = _decoded(path, document.disk)
        return document

    @property
    def saved(self) -> bool:
        """Whether the file holds the text that is shown."""
        return self.disk == self.text.encode()

    def change(self, label: str, text: str, *, typed: bool = False) -> bool:
        """Another text, written to the file at once; bursts of typing that follow each other are one entry."""
        if text == self.text:
            return False
        if len(text.encode()) > MOST_TEXT:
            raise ModelError(f"a text of {len(text):,} characters is too long to be edited by hand")
        now = time.monotonic()
        last = self.done[-1] if self.done else None
        base = self.text
        if typed and last and last.label == label and now - last.when < TOGETHER and not self.undone:
            base = self.done.pop().backward(base)
        self.undone.clear()
        if base != text:
            self.done = [*self.done, difference(label, base, text, now)][-MOST_ENTRIES:]
        self._take(text)
        return True

    def undo(self) -> str:
        """Takes back the last entry and returns its label; "" where there is none."""
        if not self.done:
            return ""
        change = self.done.pop()
        self.undone.append(change)
        self._take(change.backward(self.text))
        return change.label

    def redo(self) -> str:
        """Does again what was taken back last and returns its label; "" where there is nothing."""
        if not self.undone:
            return ""
        change = self.undone.pop()
        self.done.append(change)
        self._take(change.forward(self.text))
        return change.label

    def write(self) -> None:
        """Writes the text to the file, whole or not at all; a failure is kept as the notice and nothing is lost."""
        data = self.text.encode()
        try:
            with replacing(self.path) as temporary:
                temporary.write_bytes(data)
        except MuboError as error:
            self.notice = f"{error}. The text is kept here: mend the cause, then change or undo anything to write it."
            return
        self.disk, self.notice = data, ""

    def look(self) -> bool:
        """Looks at the file: takes over what another editor wrote, as an entry of the history; whether all changed."""
        before = (self.notice, self.version)
        try:
            data = _bytes(self.path)
            text = _decoded(self.path, data)
        except (MuboError, OSError) as error:
            text, data = self.text, self.disk or b""
            gone = not self.path.exists()
            reason = f"{self.path.name} was deleted" if gone else f"{self.path.name} cannot be read: {error}"
            self.notice = f"{reason}. The text is kept here; the next change writes it again."
        else:
            if data == self.disk and self.notice.startswith(self.path.name):
                self.notice = ""
        if data != self.disk:
            self.disk, self.notice = data, ""
            if text != self.text:
                self.done.append(difference("change in another editor", self.text, text, time.monotonic()))
                self.undone.clear()
                self.text = text
                self.version += 1
        return before != (self.notice, self.version)

    def _take(self, text: str) -> None:
        self.text = text
        self.version += 1
        self.write()


def _bytes(path: Path) -> bytes:
    require_file(path)
    if path.stat().st_size > MOST_TEXT:
        raise ModelError(f"{path.name} has more than {MOST_TEXT / 1e6:g} MB: it is too large for the studio")
    return path.read_bytes()


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ModelError(f"{path.name} is not a text file") from None
