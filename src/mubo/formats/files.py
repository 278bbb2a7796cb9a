"""Which reader or writer a file needs."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from mubo.errors import ModelError, nearest
from mubo.formats.kabios import read_kabios
from mubo.formats.kabios_write import write_kabios
from mubo.formats.toml import read_toml
from mubo.formats.toml_write import write_toml
from mubo.model import Model

KINDS = {".toml": "toml", ".dat": "kabios"}
_READERS = {"toml": read_toml, "kabios": read_kabios}
_WRITERS = {"toml": write_toml, "kabios": write_kabios}
_Kind = TypeVar("_Kind", bound=Model)


def load(path: str | Path, into: type[_Kind], kind: str | None = None) -> _Kind:
    """Reads a model file of any kind; the ending decides unless `kind` says it."""
    path = Path(path)
    reader = _READERS[_kind(path, kind)]
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ModelError(f"there is no file {path}", suggestion=_neighbours(path)) from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a model file") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a text file") from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
    model = reader(text, into(path.stem), path)
    model.source = str(path)
    return model


def save(model: Model, path: str | Path, kind: str | None = None) -> None:
    """Writes a model file; the ending decides unless `kind` says it."""
    path = Path(path)
    _WRITERS[_kind(path, kind)](model, path)


def _kind(path: Path, kind: str | None) -> str:
    found = kind or KINDS.get(path.suffix.lower(), "")
    if found not in _READERS:
        asked = kind or path.suffix or path.name
        raise ModelError(
            f'{path}: "{asked}" is not a kind of model file. {nearest(asked, KINDS if not kind else _READERS)}'
        )
    return found


def _neighbours(path: Path) -> str:
    """The nearest model file in the same folder, for a mistyped name."""
    try:
        there = [p.name for p in path.parent.iterdir() if p.suffix.lower() in KINDS]
    except OSError:
        return "The folder does not exist either."
    return nearest(path.name, there) if there else "The folder has no model files."
