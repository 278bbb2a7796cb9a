"""XML with line numbers. A document type, which could define entities, is refused: nothing is fetched or expanded."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from xml.parsers import expat

from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass

LARGEST = 1e60  # of a number in a file; MuJoCo's and URDF's "no limit" are 1e10 to 1e30
MOST_NESTED = (
    500  # levels of elements: bodies of MJCF stand in each other, and are read by functions that call themselves
)


@dataclass
class Node:
    """An element: its tag, attributes, line, children and text, and the file that it stands in."""

    tag: str
    given: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    text: str = ""
    file: Path = field(default_factory=Path)

    def all(self, tag: str) -> list[Node]:
        """The children of one tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Node | None:
        """The first child of a tag, or None."""
        return next(iter(self.all(tag)), None)


def sane_number(word: str) -> float:
    """A number of a file; ValueError of one that no length, mass or angle has, whose square overflows too."""
    value = float(word)
    if not abs(value) < LARGEST:
        raise ValueError(word)
    return value


def _exceeds(word: str) -> bool:
    try:
        return abs(float(word)) >= LARGEST
    except ValueError:
        return False


class Problems:
    """The problems of a file, with lines; the reader goes on, and all are reported together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.noted: list[tuple[str, int, str]] = []  # file, line, text

    def note(self, node: Node | int, text: str) -> None:
        """Note a problem of an element, or of a line; of line 0 where it belongs to the whole file."""
        file, line = (self.path, node) if isinstance(node, int) else (node.file, node.line)
        self.noted.append((str(file), line, text))

    def numbers(
        self, node: Node | None, key: str, count: int, absent: tuple[float, ...], what: str
    ) -> tuple[float, ...]:
        """The numbers of an attribute; `absent` where it is missing or wrong, which is noted."""
        if node is None or key not in node.given:
            return absent
        words = node.given[key].split()
        try:
            values = tuple(sane_number(word) for word in words)
        except ValueError:
            values = ()
        if len(values) != count:
            form = "a number" if count == 1 else f"{count} numbers"
            if any(_exceeds(word) for word in words):
                form += f" below {LARGEST:g}"
            self.note(node, f'{what}: {key} needs {form}; found "{node.given[key]}"')
            return absent
        return values

    def number(self, node: Node | None, key: str, absent: float, what: str) -> float:
        return self.numbers(node, key, 1, (absent,), what)[0]

    def list(self, node: Node, key: str, absent: tuple[float, ...], what: str) -> tuple[float, ...]:
        """The numbers of an attribute, as many as there are; `absent` where it is missing or wrong, which is noted."""
        return self.numbers(node, key, max(len(node.given.get(key, "").split()), 1), absent, what)

    def name(self, node: Node, what: str) -> str:
        """The name of an element; one without is noted."""
        if not node.given.get("name"):
            self.note(node, f"a {what} has no name")
        return node.given.get("name", "")

    def raise_any(self) -> None:
        if self.noted:
            raise ModelError("\n".join(_located(*problem) for problem in sorted(self.noted)))


def _located(file: str, line: int, text: str) -> str:
    return f"{file}, line {line}: {text}" if line else f"{file}: {text}"


def parse(text: str, path: Path) -> Node:
    """The root element of a document. Blank lines before its declaration, which XML does not allow, are skipped."""
    before = len(text) - len(text.lstrip())
    skipped = text.count("\n", 0, before)
    parser = expat.ParserCreate("utf-8")
    open_nodes = [Node("", {}, 0)]

    def start(tag: str, given: dict[str, str]) -> None:
        if len(open_nodes) > MOST_NESTED:
            line = parser.CurrentLineNumber + skipped
            raise ModelError(
                f"{path}, line {line}: <{tag}> is nested {len(open_nodes)} levels deep; {MOST_NESTED} are allowed",
                suggestion="Describe the robot as URDF or in mubo's own file, where bodies are not nested.",
            )
        node = Node(tag, given, parser.CurrentLineNumber + skipped, file=path)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def characters(text: str) -> None:
        open_nodes[-1].text += text

    def doctype(*_: object) -> None:
        line = parser.CurrentLineNumber + skipped
        raise ModelError(f"{path}, line {line}: a document type (<!DOCTYPE …>) is not allowed in a robot description")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_nodes.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text[before:].encode(), True)
    except expat.ExpatError as error:
        line, why = error.lineno + skipped, expat.ErrorString(error.code)
        raise ModelError(f"{path}, line {line}: this is not XML: {why}") from None
    return open_nodes[0].children[0]
