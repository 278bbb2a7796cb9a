"""Model files in and out, of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from mubo.errors import ModelError, nearest
from mubo.formats.registry import FORMATS, format_of
from mubo.model import Model
from mubo.model.linkage import Linkage

_Kind = TypeVar("_Kind", bound=Model)
_Deck = TypeVar("_Deck", bound=Linkage)


def load(path: str | Path, into: type[_Kind], kind: str | None = None) -> _Kind:
    """Reads a model file of any kind; the ending decides unless `kind` says it."""
    path = Path(path)
    form = format_of(path, kind)
    if form.vectors:
        raise ModelError(f"{path} is a {form.name}: it has vectors and loops, no bodies and joints")
    model: _Kind = form.reader()(_text(path), into(path.stem), path)
    model.source = str(path)
    return model


def load_deck(path: str | Path, into: type[_Deck]) -> _Deck:
    """Reads a card deck."""
    path = Path(path)
    deck: _Deck = format_of(path, "deck").reader()(_text(path), into, path)
    return deck


def save(model: Model, path: str | Path, kind: str | None = None) -> None:
    """Writes a model file; the ending decides unless `kind` says it."""
    path = Path(path)
    format_of(path, kind).writer()(model, path)


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


def _neighbours(path: Path) -> str:
    """The nearest model file in the same folder, for a mistyped name."""
    endings = [ending for kind in FORMATS for ending in kind.endings]
    try:
        there = [p.name for p in path.parent.iterdir() if p.suffix.lower() in endings]
    except OSError:
        return "The folder does not exist either."
    return nearest(path.name, there) if there else "The folder has no model files."
