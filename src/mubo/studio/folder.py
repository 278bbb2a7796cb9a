"""The opened folder: which model files it has, and the examples that can be copied into it. Nothing outside is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mubo.elements import AMBIENTS
from mubo.formats.registry import FORMATS
from mubo.studio.construction import NEW
from mubo.studio.document import Document
from mubo.studio.edits import require_name
from mubo.studio.linkages import LINKAGES, linkage_text
from mubo.studio.protocol import Refused
from mubo.studio.session import Session
from mubo.studio.tools import tool_table
from mubo.studio.vocabulary import vocabulary

ENDINGS = tuple(ending for kind in FORMATS for ending in kind.endings)


@dataclass(frozen=True)
class Example:
    """A shipped model: its description and theme, and the files that belong to it, the model first."""

    name: str
    description: str
    theme: str
    path: Path
    files: Callable[[], Sequence[Path]]


@dataclass
class Folder:
    """A folder whose models are edited, and a session for each that was opened."""

    path: Path
    examples: dict[str, Example] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)

    def files(self) -> list[str]:
        """Names of the model files of the folder; hidden ones and links that lead out of it are left out."""
        return sorted(entry.name for entry in self.path.iterdir() if self._is_inside(entry.name))

    def listing(self, first: str) -> dict[str, Any]:
        """The files as a message, with the one to begin with and the kinds of joints and forces that models have."""
        kinds = dict.fromkeys(kind for one in AMBIENTS.values() for kind in (*one.joints, *one.loads))
        plans = {key: {"title": one.title, "lengths": dict(one.lengths)} for key, one in LINKAGES.items()}
        return {
            "linkages": plans,
            "is": "files",
            "files": self.files(),
            "first": first,
            "kinds": list(kinds),
            "tools": tool_table(),
            "vocabulary": vocabulary(),
        }

    def _is_inside(self, name: str) -> bool:
        """Whether a name is that of a model file within the folder itself."""
        plain = name and "/" not in name and "\\" not in name and "\0" not in name and not name.startswith(".")
        if not plain or Path(name).suffix.lower() not in ENDINGS:
            return False
        target = self.path / name
        try:
            return target.resolve().parent == self.path.resolve() and target.is_file()
        except (OSError, RuntimeError):
            return False

    def open(self, name: str) -> Session:
        """The session of a file; the same for every window."""
        if name in self.sessions:
            return self.sessions[name]
        if not self._is_inside(name):
            raise Refused("there is no such model file in the opened folder")
        self.sessions[name] = Session(Document.open(self.path / name))
        return self.sessions[name]

    def copy_example(self, name: str) -> str:
        """Copies an example with its data files into the folder under a free name; returns the file's name."""
        example = self.examples.get(name)
        if example is None:
            raise Refused("there is no such example")
        target = self._free(example.path.stem, example.path.suffix)
        for file in example.files():
            copied = self.path / (target if file == example.path else file.name)
            if not copied.exists():
                copied.write_bytes(file.read_bytes())
        return target

    def new(self, name: str, linkage: str = "", lengths: Sequence[float] = ()) -> str:
        """A new model under a free name, empty or a linkage of some lengths; returns the file's name."""
        title = name.replace("_", " ").replace("-", " ")
        text = linkage_text(linkage, lengths, title) if linkage else NEW.format(name=title)
        return self.add(name, text)

    def add(self, name: str, text: str) -> str:
        """A model file with a text under a free name; returns the file's name."""
        require_name(name)
        target = self._free(name, ".toml")
        (self.path / target).write_bytes(text.encode())
        return target

    def save_as(self, session: Session, name: str) -> str:
        """A copy of an open model under another name, which no file has yet; returns the file's name."""
        stem = name.removesuffix(session.document.path.suffix)
        require_name(stem)
        target = f"{stem}{session.document.path.suffix}"
        if (self.path / target).exists():
            raise Refused(f"{target} exists already: take another name")
        (self.path / target).write_bytes(session.document.text.encode())
        return target

    def _free(self, stem: str, ending: str) -> str:
        names = (f"{stem}{'' if k == 1 else f'_{k}'}{ending}" for k in range(1, 10_000))
        return next(one for one in names if not (self.path / one).exists())
