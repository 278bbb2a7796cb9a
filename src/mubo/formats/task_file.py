"""What a synthesis is asked for, from files: a task in TOML, points, poses or pairs in a table."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, MuboError, nearest
from mubo.formats.files import file_bytes, neighbours
from mubo.formats.text_tables import read_text_table

TABLES = (".csv", ".txt", ".tsv")
_UNIT = re.compile(r"^(.*?)\s*\[([^\]]+)\]\s*$")


def is_table(text: object) -> bool:
    """Whether a text names a table of numbers."""
    return isinstance(text, str) and Path(text).suffix.lower() in TABLES


def read_rows(path: Path, names: Sequence[str], optional: Sequence[str] = ()) -> list[list[Any]]:
    """The lines of a table with columns of these names, in their order; numbers of a column with a unit have it."""
    table = read_text_table(_text(path, TABLES), str(path))
    found: dict[str, tuple[int, str]] = {}
    for k, cell in enumerate(table.header):
        match = _UNIT.match(cell)
        found[(match[1] if match else cell).strip().lower()] = (k, match[2] if match else "")
    missing = [name for name in names if name not in found]
    if missing:
        raise ModelError(
            f'{path} has no column "{missing[0]}". {nearest(missing[0], found)}',
            suggestion=f"Its header should name the columns {', '.join([*names, *optional])}.",
        )
    taken = [*names, *(name for name in optional if name in found)]
    columns = [found[name] for name in taken]
    return [[f"{line[k]!r} {unit}" if unit else line[k] for k, unit in columns] for line in table.values.tolist()]


def read_task(path: Path) -> dict[str, Any]:
    """The entries of a task file; what names a table is made a path beside it."""
    try:
        data = tomllib.loads(_text(path, (".toml",)))
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path}: {error}") from None
    return {key: str(path.parent / value) if is_table(value) else value for key, value in data.items()}


def _text(path: Path, endings: Sequence[str]) -> str:
    try:
        return file_bytes(path).decode("utf-8-sig")
    except MuboError:
        raise
    except FileNotFoundError:
        raise ModelError(f"there is no file {path}", suggestion=neighbours(path, endings, "such files")) from None
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a text file") from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None
