"""The kinds of model files. A line here and a file with its reader, and its writer if it has one, make a new kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest


@dataclass(frozen=True)
class Format:
    """A kind of model file. Reader and writer are "module:function", imported when a file asks for them: start-up
    must not pay for XML.

    A reader is called with the text and the path, a writer with the model and the path.
    """

    name: str  # of --format
    endings: tuple[str, ...]
    words: str
    reads: str
    writes: str = ""
    vectors: bool = False  # it holds vectors and loops, not bodies and joints

    def reader(self) -> Callable[[str, Path], Any]:
        """What reads the text of a file."""
        return _named(self.reads)

    def writer(self) -> Callable[[Any, Path], None]:
        """What writes a model; refused where there is none."""
        if not self.writes:
            raise ModelError(
                f"a model cannot be written as a {self.name}: it has bodies and joints, a {self.name} vectors and loops"
                if self.vectors
                else f"a model cannot be written as {self.name} ({self.words}): such files are only read"
            )
        return _named(self.writes)


FORMATS = (
    Format("toml", (".toml",), "native", "mubo.formats.toml:read_toml", "mubo.formats.toml_write:write_toml"),
    Format(
        "json", (".json",), "native, in JSON", "mubo.formats.json_model:read_json", "mubo.formats.json_model:write_json"
    ),
    Format("kabios", (".dat",), "KABIOS", "mubo.formats.kabios:read_kabios", "mubo.formats.kabios_write:write_kabios"),
    Format("deck", (".deck",), "O'Kins' cards", "mubo.formats.decks:read_deck", vectors=True),
    Format("urdf", (".urdf",), "robots", "mubo.formats.urdf:read_urdf", "mubo.formats.urdf:write_urdf"),
)


def format_of(path: str | Path, name: str | None = None, written: bool = False) -> Format:
    """The kind of a model file: the ending decides unless a name is given. Of one to be `written`, only kinds that can
    be are offered in place of an unknown one."""
    path = Path(path)
    by_name = {kind.name: kind for kind in FORMATS}
    by_ending = {ending: kind for kind in FORMATS for ending in kind.endings}
    kind = by_name.get(name) if name else by_ending.get(path.suffix.lower())
    if kind is None:
        asked = name or path.suffix or path.name
        allowed = [word for word, kind in (by_name if name else by_ending).items() if kind.writes or not written]
        raise ModelError(f'{path}: "{asked}" is not a kind of model file. {nearest(asked, allowed)}')
    return kind


def listed(written: bool = False) -> str:
    """ ".toml (native), .dat (KABIOS) …", for help; only those that can be written if asked."""
    kinds = [kind for kind in FORMATS if kind.writes or not written]
    names = [f"{ending} ({kind.words})" for kind in kinds for ending in kind.endings]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _named(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)  # type: ignore[no-any-return]
