"""Which reader or writer a file needs."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from mubo.errors import ModelError, nearest
from mubo.formats.decks import read_deck
from mubo.formats.kabios import read_kabios
from mubo.formats.kabios_write import write_kabios
from mubo.formats.toml import read_toml
from mubo.formats.toml_write import write_toml
from mubo.model import Model
from mubo.model.linkage import Linkage

KINDS = {".toml": "toml", ".dat": "kabios", ".deck": "deck", ".urdf": "urdf"}
_Deck = TypeVar("_Deck", bound=Linkage)


def _read_urdf(text: str, path: Path) -> Model:
    from mubo.formats.urdf import read_urdf  # the parser of XML would cost a fifth of the start-up time

    return read_urdf(text, path)


def _write_urdf(model: Model, path: Path) -> None:
    from mubo.formats.urdf import write_urdf

    write_urdf(model, path)


_READERS = {"toml": read_toml, "kabios": read_kabios, "urdf": _read_urdf}
_WRITERS = {"toml": write_toml, "kabios": write_kabios, "urdf": _write_urdf}


def load(path: str | Path, kind: str | None = None) -> Model:
    """Reads a model file of any kind; the ending decides unless `kind` says it."""
    path = Path(path)
    found = kind_of(path, kind)
    if found not in _READERS:
        raise ModelError(f"{path} is a {found}: it has vectors and loops, no bodies and joints")
    return _READERS[found](_text(path), path)


def load_deck(path: str | Path, into: type[_Deck]) -> _Deck:
    """Reads a card deck."""
    path = Path(path)
    return read_deck(_text(path), into, path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ModelError(f"there is no file {path}", suggestion=_neighbours(path)) from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a model file") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a text file") from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None


def save(model: Model, path: str | Path, kind: str | None = None) -> None:
    """Writes a model file; the ending decides unless `kind` says it."""
    path = Path(path)
    found = kind_of(path, kind)
    if found not in _WRITERS:
        raise ModelError(f"a model cannot be written as a {found}: it has bodies and joints, a deck vectors and loops")
    _WRITERS[found](model, path)


def kind_of(path: str | Path, kind: str | None = None) -> str:
    """ "toml", "kabios" or "deck": the ending decides unless `kind` says it."""
    path = Path(path)
    found = kind or KINDS.get(path.suffix.lower(), "")
    if found not in KINDS.values():
        asked = kind or path.suffix or path.name
        raise ModelError(
            f'{path}: "{asked}" is not a kind of model file. {nearest(asked, KINDS.values() if kind else KINDS)}'
        )
    return found


def _neighbours(path: Path) -> str:
    """The nearest model file in the same folder, for a mistyped name."""
    try:
        there = [p.name for p in path.parent.iterdir() if p.suffix.lower() in KINDS]
    except OSError:
        return "The folder does not exist either."
    return nearest(path.name, there) if there else "The folder has no model files."
