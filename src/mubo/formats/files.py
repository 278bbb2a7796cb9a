"""Model files in and out, of any kind."""

from __future__ import annotations

from pathlib import Path

from mubo.errors import ModelError
from mubo.formats.reading import file_bytes, neighbours
from mubo.formats.registry import FORMATS, format_of, format_of_text
from mubo.model import ModelDefinition


def load(path: str | Path, kind: str | None = None) -> ModelDefinition:
    """Reads a model file of any kind: `kind` decides, else the ending, else the content."""
    path = Path(path)
    if kind:
        format_of(path, kind)  # an unknown word is refused before the file is looked for
    text = _text(path)
    model: ModelDefinition = format_of_text(path, text, kind).reader()(text, path)
    return model


def save(model: ModelDefinition, path: str | Path, kind: str | None = None) -> None:
    """Writes a model file; the ending decides unless `kind` says it."""
    path = Path(path)
    format_of(path, kind, written=True).writer()(model, path)


def _text(path: Path) -> str:
    try:
        text = file_bytes(path).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        endings = [ending for kind in FORMATS for ending in kind.endings]
        raise ModelError(f"there is no file {path}", suggestion=neighbours(path, endings, "model files")) from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a model file") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a text file") from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
